import { randomUUID } from 'node:crypto'
import { makeManagementApi, type ManagementApi } from './management-scene.ts'
import { post, type Server, times } from './scene.ts'

const day = 86_400_000

/** A form with a field of each kind, and complete terms. */
export const entrySettings = {
  isOpen: true,
  spins: 2,
  entriesMax: null,
  verify: 'none',
  challenge: 'never',
  refusesDisposable: false,
  answersDays: 90,
  consentYears: 3,
  fields: [
    {
      id: 'email',
      kind: 'email',
      labels: { en: 'Your e-mail', de: 'Ihre E-Mail' },
      isRequired: true,
      when: 'entry',
    },
    { id: 'name', kind: 'name', labels: { en: 'Name' }, isRequired: false, when: 'entry' },
    {
      id: 'news',
      kind: 'consent',
      labels: { en: 'Send me news', de: 'Neuigkeiten' },
      isRequired: false,
      when: 'entry',
      purpose: 'marketing',
    },
  ],
  terms: {
    organiser: 'Acme Ltd',
    postalAddress: '1 High Street, London',
    whoMayEnter: 'Adults',
    limitPerPerson: 'One entry',
    howToClaim: 'By e-mail, within a month',
    privacyAddress: 'https://acme.example/privacy',
    texts: { en: 'The terms.', de: 'Die Bedingungen.' },
  },
}

export type EntryReply = { status: number; headers: Headers; body: any }
export type EntryPage = {
  api: ManagementApi
  merchant: string
  setUp: (settings?: object) => Promise<void>
  show: (query?: string) => Promise<EntryReply>
  /** Submits the form with the version and terms that are shown now. */
  enter: (answers: object, more?: object, key?: string) => Promise<EntryReply>
  send: (path: string, body: object, headers?: Record<string, string>) => Promise<EntryReply>
  /** Opens the game with the token of an entry. */
  open: (entered: EntryReply) => Promise<any>
}

/** A merchant whose campaign `main` visitors can enter. */
export async function makeEntryPage(
  server: Server,
  settings: object = {},
  merchant?: ManagementApi,
): Promise<EntryPage> {
  const page = entryPageOf(server, merchant ?? (await makeManagementApi(server)), 'main')
  const closesAt = new Date(Date.now() + 30 * day).toISOString()
  await page.api.call('PATCH', '/campaigns/main', { closesAt })
  await page.setUp(settings)
  return page
}

/** Another campaign of the same merchant, which visitors can enter, with the wheel of `main`. */
export async function addEntryPage(
  server: Server,
  { api }: EntryPage,
  { campaign, settings = {} }: { campaign: string; settings?: object },
): Promise<EntryPage> {
  const closesAt = new Date(Date.now() + 30 * day).toISOString()
  const made = await api.call('POST', '/campaigns', { campaign, name: campaign, wheel: 'main', closesAt })
  if (made.status !== 200) throw new Error(made.text)
  const page = entryPageOf(server, api, campaign)
  await page.setUp(settings)
  return page
}

export function entryPageOf(server: { url: string }, api: ManagementApi, campaign: string): EntryPage {
  const merchant = api.merchant.slug
  const base = `${server.url}/api/v1/entry/${merchant}/${campaign}`
  const read = async (response: Response): Promise<EntryReply> => ({
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  })
  const show = async (query = '') => read(await fetch(`${base}${query}`))
  const send = async (path: string, body: object, headers: Record<string, string> = {}) =>
    read(
      await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    )
  const setUp = async (changed: object = {}) => {
    const reply = await api.call('PUT', `/campaigns/${campaign}/entry`, { ...entrySettings, ...changed })
    if (reply.status !== 200) throw new Error(reply.text)
  }
  return {
    api,
    merchant,
    setUp,
    show,
    send,
    open: async ({ body }) =>
      (await post(`${server.url}/api/v1/game/session`, undefined, { token: body.token })).body,
    enter: async (answers, more = {}, key = randomUUID()) => {
      const { body } = await show()
      const form = { formVersion: body.form.version, language: 'en', answers, terms: body.terms.hash }
      return send('/entries', { ...form, ...more }, { 'Idempotency-Key': key })
    },
  }
}

/** Does so many of these at a time. */
export async function inTurns<T, R>(
  orders: readonly T[],
  atOnce: number,
  work: (order: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = orders.entries()
  await Promise.all(
    times(atOnce, async () => {
      for (const [index, order] of left) results[index] = await work(order, index)
    }),
  )
  return results
}
