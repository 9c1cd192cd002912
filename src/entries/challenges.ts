import { createHmac, randomInt } from 'node:crypto'
import type { SigningKey } from '../crypto/signing-key.ts'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './entry-context.ts'
import { entryBudget, readUsed } from './budgets.ts'
import { later } from './codes.ts'
import {
  challengeCost,
  challengeCounter,
  challengeRiskMax,
  challengeSeconds,
  entriesPerHour,
} from './entry-limits.ts'
import { findOpenEntry, type PublicEntry } from './find-entry.ts'
import type { Solution, Solved } from './spent-challenges.ts'

// ALTCHA, version 2 of its protocol. Loaded with the first challenge. `altcha-lib/v1` must not be used: there the
// expiry could be spliced (CVE-2025-68113). Nor is its own store, a map in memory: spent solutions are rows, in the
// transaction of the entry.
const library = () => Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')])

/** How much a network has entered in this hour, in multiples of what is suspicious. */
async function riskOf(ctx: Context, { merchant, now }: PublicEntry, network: string): Promise<number> {
  const [key] = await untilDone(() => readLiveKeys(ctx.db, 'addresses'))
  if (key === undefined) return 0
  const where = { merchantId: merchant.merchantId, secret: key.secret, now }
  const used = await untilDone(() => readUsed(ctx.db, where, entryBudget(network)))
  return used / entriesPerHour.suspicious
}

/** Whether a browser must solve a challenge before it enters. */
export async function isChallenged(ctx: Context, found: PublicEntry, network: string): Promise<boolean> {
  const { challenge } = found.entry
  if (challenge === 'suspicious') return (await riskOf(ctx, found, network)) >= 1
  return challenge === 'always'
}

/** Checks the solution that a submission brings, if one may be asked for. */
export async function readSolved(
  ctx: Context,
  found: PublicEntry,
  { network, payload }: { network: string; payload: string | undefined },
): Promise<Solved> {
  const asked = found.entry.challenge
  if (asked === 'never' || payload === undefined) return { asked, solution: undefined }
  const solution = await checkSolution(ctx, found, { network, payload }).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
  return { asked, solution }
}

/** A task that takes a browser some seconds, the longer the more its network has entered, and us a moment. */
export async function makeChallenge(
  ctx: Context,
  address: { merchant: string; campaign: string },
  network: string,
) {
  const found = await findOpenEntry(ctx, address)
  const key = await ctx.linkKeys.newest()
  const times = Math.min(challengeRiskMax, Math.max(1, Math.floor(await riskOf(ctx, found, network))))
  const [{ createChallenge }, { deriveKey }] = await library()
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: challengeCost,
    counter: randomInt(challengeCounter.min, challengeCounter.max) * times,
    deriveKey,
    expiresAt: later(ctx.now(), challengeSeconds),
    data: { ...placeOf(found, network), key: key.keyId },
    ...secretsOf(key),
  })
}

/** The solution of a challenge that was made for this campaign and network. The transaction of the entry spends it. */
async function checkSolution(
  ctx: Context,
  found: PublicEntry,
  { network, payload }: { network: string; payload: string },
): Promise<Solution> {
  const { challenge, solution } = readPayload(payload)
  const { data, nonce, expiresAt } = challenge.parameters
  const key = typeof data?.key === 'string' ? await ctx.linkKeys.byId(data.key) : undefined
  const place = placeOf(found, network)
  if (key === undefined || expiresAt === undefined) throw new Refusal('challenge_invalid')
  if (data?.campaign !== place.campaign || data.network !== place.network)
    throw new Refusal('challenge_invalid')
  const [{ verifySolution }, { deriveKey }] = await library()
  const result = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(key) }).catch(
    () => undefined,
  )
  const endsAt = new Date(expiresAt * 1000)
  const isExpired = result?.expired === true || endsAt <= ctx.now()
  if (isExpired && !(result?.invalidSignature ?? false)) throw new Refusal('challenge_expired')
  if (result?.verified !== true) throw new Refusal('challenge_invalid')
  return { nonce, expiresAt: endsAt }
}

function placeOf({ entry }: PublicEntry, network: string) {
  return { campaign: `${entry.merchantId}:${entry.campaignId}`, network }
}

/** Two secrets, derived from one key: of the challenge, and of the key that solves it. */
function secretsOf({ secret }: SigningKey) {
  const derived = (name: string) =>
    createHmac('sha256', secret).update(`wheelhouse challenge ${name}`).digest('hex')
  return { hmacSignatureSecret: derived('signature'), hmacKeySignatureSecret: derived('key') }
}

type Payload = {
  challenge: Parameters<(typeof import('altcha-lib'))['verifySolution']>[0]['challenge']
  solution: Parameters<(typeof import('altcha-lib'))['verifySolution']>[0]['solution']
}

/** Base64 of JSON, as the widget sends it. Nothing in it is trusted yet. */
function readPayload(payload: string): Payload {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString()) as Payload
    if (typeof challenge.parameters.nonce === 'string' && typeof solution === 'object')
      return { challenge, solution }
  } catch {
    // Not JSON, or without a challenge: the answer is the same as for a wrong solution.
  }
  throw new Refusal('challenge_invalid')
}
