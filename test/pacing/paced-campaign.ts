/**
 * Plays a whole campaign of a paced prize in memory, with the server's own code, and prints it as an export. Tests run
 * it with edits of faults/edits.ts, to see that `verify` notices each of them.
 */
import { hash, randomUUID } from 'node:crypto'
import { mainCampaign } from '../../src/campaign-ref.ts'
import { runStart } from '../../src/fairness/award-chain.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import { endOf, paceCommitment, paceKey } from '../../src/fairness/pace.ts'
import { describePlay } from '../../src/plays/describe-play.ts'
import { runName } from '../../src/pacing/pace-gates.ts'
import { drawPlay, settle } from '../../src/plays/draw-plays.ts'
import type { DrawnPlay } from '../../src/plays/play-types.ts'
import { commitment } from '../../src/plays/seeds.ts'
import type { LockedRun, PaceEntry } from '../../src/pacing/pace-runs.ts'
import { publishedText } from '../../src/wheel-document/published-text.ts'
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'

const [start, length] = [Date.parse('2026-06-01T10:00:00Z'), 3_600_000]
const key = { keyId: 'k', secret: Buffer.from(hash('sha256', 'campaign'), 'hex') }
const name = { merchantId: 1, wheelId: 1, prizeId: 'mug', run: 1 }
const document: WheelDocument = {
  ...defaultWheel,
  fallback: 'nothing',
  segments: [
    {
      id: 'mug',
      label: 'Mug',
      color: '#112233',
      weight: 1,
      prize: { kind: 'handover' },
      pace: { units: 20, periods: [], lastCallSeconds: 300 },
    },
    { id: 'nothing', label: 'Nothing', color: '#445566', weight: 1, prize: { kind: 'none' } },
  ],
}
const committed = paceCommitment(paceKey(key.secret, name, hashing), hashing)
const pace = {
  run: 1,
  commitment: committed,
  units: 20,
  spans: [[start, start + length] as const],
  lastCallMs: 300_000,
}
const published = publishedText(document, { prizes: new Map([['mug', pace]]), budget: undefined })
const version = {
  wheelId: 1,
  version: 1,
  document,
  published,
  sha256: hash('sha256', published),
  publishedAt: new Date(start),
}
const wheel = {
  ...version,
  slug: 'main',
  pausedAt: null,
  spinExpiry: undefined,
  embedOrigins: [],
  campaign: mainCampaign,
  nameForPlayers: '',
  campaignTexts: {},
  priority: 0,
  opensAt: null,
  closesAt: null,
  schedule: version.document,
}
const run: LockedRun = {
  ...name,
  ...runStart(committed, hashing),
  version: 1,
  seedKeyId: 'k',
  commitment: committed,
  entries: 0,
  createdAt: new Date(start),
  endsAt: new Date(endOf(pace.spans)),
  endedAt: null,
  secret: key.secret,
}
const who = { merchantId: 1, shard: 0, playerId: 'pia', playerNo: 1, balance: 1_000_000, playCount: 0 }
const player = {
  ...who,
  entryCount: 0,
  grantedDay: 0,
  grantedDayTotal: 0,
  isBlocked: false,
  linksValidFrom: null,
  nextExpiry: null,
}
const limits = {
  runs: new Map([[runName(name), run]]),
  stocks: new Map(),
  pools: new Map(),
  playerPrizes: new Map(),
}
const entries: PaceEntry[] = []
const plays = []
for (let at = start + 5_000; at < start + length; at += 20_000) {
  const order = {
    ...who,
    link: { linkId: 'l', issuedAt: new Date(start) },
    playId: randomUUID(),
    playerSeed: hash('sha256', `seed ${at}`),
    commitment: commitment(key, { ...who, playNumber: player.playCount + 1 }),
    versionHash: version.sha256,
    wheel: { ...wheel, clockAheadMs: null, hasClaimForm: false, freeSpins: undefined },
  }
  const { play, paceEntries } = settle(drawPlay(order, player, [key]) as DrawnPlay, limits, new Date(at))
  entries.push(...paceEntries)
  plays.push({ play: describePlay(play, version, key) })
}
const shown = entries.map(({ kind, unit, at, play }) => ({ kind, unit, at, play }))
const ended = {
  ...pace,
  isBudget: false,
  key: paceKey(key.secret, name, hashing),
  head: run.head,
  entries: shown,
}
for (const line of [{ run: ended }, { published }, ...plays])
  process.stdout.write(`${JSON.stringify(line)}\n`)
