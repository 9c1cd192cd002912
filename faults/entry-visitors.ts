import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from './evidence.ts'
import { type Call, History, isRetryable, type RequestSpec } from './history.ts'
import { type Answered, type EntryCampaign, entryCampaigns, judgeEntries } from './judge-entries.ts'
import type { TestMerchant } from './load.ts'
import { managed, testMerchantOf } from './managed.ts'
import type { FaultContext } from './round.ts'
import { createOtherMerchant } from './test-merchant.ts'

const people = 60
const monthMs = 30 * 86_400_000

type Form = { formVersion: number; language: string; terms: string }

/** Visitors who enter the two campaigns of a test merchant, each with many spellings of an address. */
export class EntryVisitors {
  readonly #ctx: FaultContext
  readonly #merchant: TestMerchant
  readonly #history = new History()
  readonly #forms = new Map<EntryCampaign, Form>()
  readonly #answered: Answered[] = []
  readonly #asked = new Set<string>()
  #names = 0

  private constructor(ctx: FaultContext, merchant: TestMerchant) {
    this.#ctx = ctx
    this.#merchant = merchant
  }

  static async make(ctx: FaultContext): Promise<EntryVisitors> {
    const live = await createOtherMerchant(ctx.scene, ctx.random)
    const visitors = new EntryVisitors(ctx, await testMerchantOf(ctx, live))
    const closesAt = new Date(Date.now() + monthMs).toISOString()
    await visitors.#manage('PATCH', '/campaigns/main', { closesAt })
    const coded = { campaign: 'coded', name: 'Coded', wheel: 'main', closesAt }
    await visitors.#manage('POST', '/campaigns', coded)
    for (const campaign of entryCampaigns) {
      const verify = campaign === 'coded' ? 'code' : 'none'
      const entry = await visitors.#manage('PUT', `/campaigns/${campaign}/entry`, { ...settings, verify })
      const { version, termsHash } = entry as { version: number; termsHash: string }
      visitors.#forms.set(campaign, { formVersion: version, language: 'en', terms: termsHash })
    }
    return visitors
  }

  async #manage(method: string, path: string, body?: object): Promise<unknown> {
    return managed(this.#ctx, this.#merchant.token, { method, path, ...(body && { body }) })
  }

  /** Somebody enters, as a new browser; sometimes twice at once, with another spelling. */
  async visit(): Promise<void> {
    const { random } = this.#ctx
    const person = `person${random.below(people)}`
    const campaign = random.pick(entryCampaigns)
    const tries = random.happens(0.4) ? 3 : 1
    await Promise.all(Array.from({ length: tries }, () => this.#enter(person, campaign)))
  }

  async #enter(person: string, campaign: EntryCampaign): Promise<void> {
    const { random } = this.#ctx
    const number = this.#names++
    const email = `${person}+${number}@gmail.com`
    this.#asked.add(person)
    const headers = { 'x-forwarded-for': `10.${random.below(256)}.${random.below(256)}.1` }
    const key = `visitor-${number}`
    const payload = { ...this.#forms.get(campaign), answers: { email } }
    const entry = { campaign, path: 'entries', headers: { ...headers, 'idempotency-key': key }, payload }
    const submitted = await this.#send(entry)
    if (submitted.body.outcome !== 'code_sent') return this.#remember(person, campaign, submitted)
    const code = await this.#codeOf(email)
    const { session } = submitted.body
    const proof = { campaign, path: 'proof', headers, payload: { session, code } }
    if (code !== undefined) this.#remember(person, campaign, await this.#send(proof))
  }

  /** Like a page, repeats a request unchanged until there is an answer. A few give up. */
  async #send(order: Pick<RequestSpec, 'path' | 'headers' | 'payload'> & { campaign: EntryCampaign }) {
    const { random, scene } = this.#ctx
    const { campaign, path, ...rest } = order
    const url = `/api/v1/entry/${this.#merchant.slug}/${campaign}/${path}`
    const request = { kind: 'entry', playerId: '', key: undefined, amount: 0, method: 'POST' } as const
    for (;;) {
      const call = await this.#history.send(random.pick(scene.urls), { ...request, ...rest, path: url })
      if (!isRetryable(call) || this.#ctx.isOver() || random.happens(0.05)) return call
      await sleep(random.between(20, 200))
    }
  }

  /** A test merchant mails nothing: its codes can be read, the newest hundred of them. */
  async #codeOf(email: string): Promise<string | undefined> {
    // The last server may be without a database for a moment.
    const read = () => this.#manage('GET', '/campaigns/coded/entries/codes').catch(() => undefined)
    for (let list = await read(); ; list = await read()) {
      if (list !== undefined)
        return (list as { codes: { address: string; code: string }[] }).codes.find(
          ({ address }) => address === email,
        )?.code
      if (this.#ctx.isOver()) return undefined
      await sleep(200)
    }
  }

  #remember(person: string, campaign: EntryCampaign, { outcome, body }: Call): void {
    if (outcome !== 'ok' || body.outcome !== 'entered') return
    const claims = String(body.token).split('.')[1] ?? ''
    const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
    this.#answered.push({ person, campaign, playerId: sub })
  }

  async judge(): Promise<Finding[]> {
    await this.#history.close()
    const { calls } = this.#history
    const told = { ...this.#merchant, calls, answered: this.#answered, asked: this.#asked }
    return judgeEntries(this.#ctx, told)
  }
}

const settings = {
  isOpen: true,
  spins: 2,
  entriesMax: null,
  challenge: 'never',
  refusesDisposable: false,
  answersDays: 90,
  consentYears: 3,
  fields: [{ id: 'email', kind: 'email', labels: { en: 'E-mail' }, isRequired: true, when: 'entry' }],
  terms: {
    organiser: 'Acme Ltd',
    postalAddress: '1 High Street, London',
    whoMayEnter: 'Adults',
    limitPerPerson: 'One entry',
    howToClaim: 'By e-mail',
    privacyAddress: 'https://acme.example/privacy',
    texts: { en: 'The terms.' },
  },
}
