/**
 * The seeds that this page has sent. A server that has both seeds knows the outcome, and could refuse a play that it
 * does not like. So the page uses one seed for one commitment, whatever happens, and keeps what was refused: once the
 * play of that number is done, the player sees what the refused one would have given.
 */
import { draw, toHex } from '../../../src/fairness/draw.ts'
import type { Play, PlayRequest, SentSeed, Session } from '../api.ts'
import { keepSent, keptSent } from '../link.ts'
import { readWheel } from '../wheel/published.ts'
import { hashing } from './sha256.ts'

const seedsKeptMax = 20

/** The request for the next play. A seed that was sent for it before is used again, with its commitment. */
export function requestFor({ next, wheel }: Session): PlayRequest {
  const sent = keptSent().findLast((one) => one.playNumber === next.playNumber && !one.isChanged)
  const fresh = {
    playId: timedUuid(),
    playerSeed: toHex(crypto.getRandomValues(new Uint8Array(32))),
    commitment: next.commitment,
    versionHash: wheel.hash,
  }
  const { playId, playerSeed, commitment, versionHash } = sent ?? fresh
  return versionHash === wheel.hash
    ? { playId, playerSeed, commitment, versionHash }
    : { ...fresh, playerSeed, commitment }
}

export function noteSent(request: PlayRequest, playNumber: number): void {
  const earlier = keptSent()
  if (earlier.some(({ playId }) => playId === request.playId)) return
  keepSent([...earlier, { ...request, playNumber, isRefused: false, isChanged: false }].slice(-seedsKeptMax))
}

/** `reopened`: what the server shows after the refusal. Undefined if the page did not ask. */
export function noteRefusal(request: PlayRequest, reopened?: Session): void {
  const all = keptSent().map((sent): SentSeed => {
    if (sent.playId !== request.playId) return sent
    const isSameNumber = reopened?.next.playNumber === sent.playNumber
    const isSameWheel = reopened?.wheel.hash === sent.versionHash
    const isChanged = isSameNumber && isSameWheel && reopened.next.commitment !== sent.commitment
    return { ...sent, isRefused: true, isChanged: sent.isChanged || isChanged }
  })
  keepSent(all)
}

/** What became of a refused spin. */
export type RefusedSpin = { number: number; fate: 'same' | 'would' | 'open' | 'changed'; label: string }

/** `next`: to include a refused spin that is still to be played. `textOf`: a version's text, if it can be loaded. */
export async function refusedSpins(
  plays: ReadonlyMap<number, Play>,
  next: Session['next'] | undefined,
  textOf: (hash: string) => Promise<string | null>,
): Promise<RefusedSpin[]> {
  const refused = keptSent().filter(({ isRefused }) => isRefused)
  const told = await Promise.all(
    refused.map(async (sent): Promise<RefusedSpin | null> => {
      const number = sent.playNumber
      const play = plays.get(number)
      if (sent.isChanged || (play !== undefined && play.proof.commitment !== sent.commitment))
        return { number, fate: 'changed', label: '' }
      if (play === undefined) return next?.playNumber === number ? { number, fate: 'open', label: '' } : null
      const { serverSeed, playerSeed, versionHash } = play.proof
      if (playerSeed === sent.playerSeed && versionHash === sent.versionHash)
        return { number, fate: 'same', label: '' }
      const published = await textOf(sent.versionHash)
      if (published === null) return null
      const { segments } = readWheel(published)
      const weights = segments.map(({ weight }) => weight)
      const { segment } = draw({ ...sent, serverSeed, weights }, hashing)
      return { number, fate: 'would', label: segments[segment]?.label ?? '?' }
    }),
  )
  return told.filter((one) => one !== null)
}

/**
 * A UUID of version 7: it begins with the time, so new ids are neighbours in the database's index.
 * `crypto.randomUUID` makes none, and is missing on plain http, where many merchants try the game for the first time.
 */
function timedUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const time = Date.now().toString(16).padStart(12, '0')
  return (time + toHex(bytes).slice(12)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
