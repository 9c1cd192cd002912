/**
 * The console's preview of a draft: the real page with a game of its own, which spends and stores nothing. It takes
 * drafts only from the page that embeds it, and only if that page has the same origin.
 */
import { commitmentOf, draw, toHex, weightTotal } from '../../src/fairness/draw.ts'
import { answerLocally, type Play, type PlayBody, type Session } from './api.ts'
import { loadLanguage, t } from './texts/i18n.ts'
import { readWheel } from './wheel/published.ts'
import { hashing } from './proof/sha256.ts'

/** `prizes`: what a winner gets, by segment, which is not published. */
export type Draft = {
  published: string
  prizes: Play['prize'][]
  /** The language that is being translated; null for the person's own. */
  language: string | null
  opening: DraftOpening
}
export type DraftOpening = { isOpen: boolean; opensAt: string | null; closesAt: string | null }

/** The player starts with this many spins, and gets them again when they are used up. */
const spinsAtStart = 3

/** Resolves with the first draft, and calls `onDraft` for each later one. */
export async function startPreview(onDraft: () => void): Promise<void> {
  // The console has landmarks of its own; these need names beside them.
  for (const landmark of document.querySelectorAll('main, header'))
    landmark.setAttribute('aria-label', t('page.name'))
  let draft: Draft | undefined
  const first = Promise.withResolvers<void>()
  addEventListener('message', ({ origin, source, data }: MessageEvent<Draft>) => {
    if (origin !== location.origin || source !== window.parent || typeof data?.published !== 'string') return
    const isFirst = draft === undefined
    const isSameLanguage = (draft?.language ?? null) === data.language
    draft = data
    const show = isFirst ? first.resolve : onDraft
    if (isSameLanguage) show()
    else void loadLanguage(data.language).then(show)
  })
  let spinCount = spinsAtStart
  const seeds = new Map<string, string>()
  const shownHash = ({ published }: Draft) => hashing.sha256(published)
  answerLocally((path, body) => {
    const current = draft as Draft
    const next = { playNumber: seeds.size + 1, commitment: newCommitment(seeds) }
    if (path === 'session') return sessionOf(current, shownHash(current), { next, spinCount })
    const play = playOf(current, body as PlayBody, seeds)
    spinCount += (play.prize.spins ?? 0) - 1
    if (spinCount === 0) spinCount = spinsAtStart
    return { play, spinCount, next }
  })
  window.parent.postMessage({ source: 'wheelhouse', type: 'preview' }, location.origin)
  await first.promise
}

function newCommitment(seeds: Map<string, string>): string {
  const seed = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const commitment = commitmentOf(seed, hashing)
  seeds.set(commitment, seed)
  return commitment
}

function sessionOf(
  { published, opening }: Draft,
  hash: string,
  { next, spinCount }: Pick<Session, 'next' | 'spinCount'>,
): Session {
  const { isOpen, opensAt, closesAt } = opening
  return {
    session: 'preview',
    spinCount,
    wheel: {
      state: isOpen ? 'open' : 'closed',
      opensAt,
      closesAt,
      openUntil: null,
      hash,
      published,
      unavailable: [],
    },
    next,
    lastPlay: null,
    wins: [],
    settledWins: [],
    parentOrigins: [],
    framePass: '',
    answeredAt: new Date(),
  }
}

/** Drawn as the server draws. */
function playOf({ published, prizes }: Draft, body: PlayBody, seeds: ReadonlyMap<string, string>): Play {
  const { segments } = readWheel(published)
  const weights = segments.map(({ weight }) => weight)
  const { playId, playerSeed, commitment, versionHash } = body
  const serverSeed = seeds.get(commitment) as string
  const playNumber = [...seeds.keys()].indexOf(commitment) + 1
  const { ticket, segment } = draw({ serverSeed, playerSeed, playNumber, versionHash, weights }, hashing)
  return {
    playId,
    playNumber,
    playedAt: new Date().toISOString(),
    segment,
    label: segments[segment]?.label ?? '',
    won: segments[segment]?.prize !== 'none',
    fallbackReason: null,
    prize: prizes[segment] as Play['prize'],
    proof: {
      serverSeed,
      commitment,
      playerSeed,
      playNumber,
      versionHash,
      ticket,
      weightTotal: weightTotal(weights),
      drawn: segment,
    },
  }
}
