// Loaded before the product, in the place of what Wine 8 lacks: it knows no TCP_KEEPALIVE, by which Node says how long a connection
// rests before it is looked after, and Node takes the refusal for a connection that fails.
require("node:net").Socket.prototype.setKeepAlive = function () {
  return this;
};
