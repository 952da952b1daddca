// Responses of the APIs that the SDK's samples use, for both sides of the comparison. The keys are those that samples read, with likely
// values; some APIs have their own shape.

const ITEM = {
  id: 7,
  name: "Seven",
  title: "A title",
  url: "https://example.com/7",
  email: "a@example.com",
  description: "text",
  content: "text",
  completed: false,
  score: 5,
  price: 1.5,
};

const SAMPLE_RESPONSE = {
  ...ITEM,
  ...{ items: [ITEM], results: [ITEM], data: [ITEM], rates: { USD: 2 }, project_id: "1", activity: "Walk", setup: "S", punchline: "P" },
  ...{
    login: "user",
    full_name: "a/b",
    joke: "J",
    type: "single",
    slip: { advice: "Advice" },
    count: 3,
    image: "https://example.com/a.png",
  },
  ...{ fact: "A fact", value: "v", response: "yes", user: ITEM, files: [ITEM, { ...ITEM, id: 8 }] },
};

const book = (id: number) => ({ ...ITEM, id, title: `Book ${id}`, formats: { "image/jpeg": "https://example.com/b.jpg" } });
const law = {
  lawId: "ABC",
  lawName: "A law",
  docType: "SECTION",
  docLevelId: "1",
  title: "Use",
  locationId: "S1",
  documents: { items: [] },
};

/** Responses by a pattern of the URL; the first match applies. */
const OWN: readonly (readonly [where: RegExp, response: unknown])[] = [
  [/gutendex\.com\/books.*page=2/, { results: [book(8)], next: null }],
  [/gutendex\.com\/books/, { results: [book(7)], next: "https://gutendex.com/books?page=2" }],
  [/nysenate\.gov\/api\/3\/laws\/./, { result: { documents: { ...law, documents: { items: [law, { ...law, locationId: "S2" }] } } } }],
  [/nysenate\.gov/, { total: 1, result: { items: [{ ...ITEM, lawId: "ABC", person: { email: "a@example.com" } }] } }],
  [/emoji\.family.*page=[2-9]/, []],
  [/emoji\.family/, [{ ...ITEM, emoji: "😀", hexcode: "1F600", group: "smileys" }]],
  [
    /dnd5eapi\.co\/api\/2014\/spells\/./,
    { ...ITEM, index: "bolt", desc: ["A bolt.", "Of fire."], level: 3, school: { name: "Evocation" } },
  ],
  [/dnd5eapi\.co/, { results: [{ index: "bolt", name: "Bolt", url: "/api/2014/spells/bolt" }] }],
  [
    /typeform\.com\/.*responses/,
    { items: [{ response_id: "r", token: "r", answers: [{ field: { id: "f1" }, type: "text", text: "Fine" }] }] },
  ],
  [/typeform\.com/, { id: "7", title: "Form", fields: [{ id: "f1", title: "How are you?", type: "short_text", properties: {} }] }],
  [/splitwise\.com.*offset=[1-9]/, { expenses: [] }],
  [
    /splitwise\.com/,
    { expenses: [{ ...ITEM, users: [], repayments: [], category: { id: 1, name: "Food" }, currency_code: "EUR", cost: "5.0" }] },
  ],
];

/** Returns a new copy each time, because packs may change the response. */
export const sampleResponse = (url: string): unknown => structuredClone(OWN.find(([where]) => where.test(url))?.[1] ?? SAMPLE_RESPONSE);
