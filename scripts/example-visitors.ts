import { randomUUID } from 'node:crypto'

type Server = { url: string; token: string }
const campaign = 'newsletter'
const names = ['Mia', 'Ben', 'Lea', 'Noah', 'Ida']

/** Lets visitors enter one of the example campaigns, and has some enter. Returns the public address. */
export async function addVisitors({ url, token }: Server): Promise<string> {
  await send(`${url}/api/v1/campaigns/${campaign}/entry`, 'PUT', entry, { Authorization: token })
  const address = `${url}/api/v1/entry/demo/${campaign}`
  const { form, terms } = (await (await fetch(address)).json()) as {
    form: { version: number }
    terms: { hash: string }
  }
  for (const [index, name] of names.entries()) {
    const answers = { email: `${name.toLowerCase()}@example.com`, name, news: index % 2 === 0 }
    const body = { formVersion: form.version, language: 'en', answers, terms: terms.hash }
    await send(`${address}/entries`, 'POST', body, { 'Idempotency-Key': randomUUID() })
  }
  return `${url}/play/demo/${campaign}`
}

async function send(to: string, method: string, body: object, headers: Record<string, string>) {
  const response = await fetch(to, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${to}: ${await response.text()}`)
}

const asked = { when: 'entry', isRequired: false }
const entry = {
  isOpen: true,
  spins: 1,
  entriesMax: null,
  verify: 'none',
  challenge: 'never',
  refusesDisposable: false,
  answersDays: 90,
  consentYears: 3,
  fields: [
    { ...asked, id: 'email', kind: 'email', labels: { en: 'Your e-mail' }, isRequired: true },
    { ...asked, id: 'name', kind: 'name', labels: { en: 'First name' } },
    {
      ...asked,
      id: 'news',
      kind: 'consent',
      labels: { en: 'Send me news by e-mail. I can stop them at any time.' },
      purpose: 'marketing',
    },
  ],
  terms: {
    organiser: 'Corner Café',
    postalAddress: '1 High Street, London',
    whoMayEnter: 'Adults who live in the United Kingdom',
    limitPerPerson: 'One entry per person',
    howToClaim: 'By its code at the till, within 30 days',
    privacyAddress: 'https://cafe.example/privacy',
    texts: { en: 'One entry per person. The wheel decides by chance.' },
  },
}
