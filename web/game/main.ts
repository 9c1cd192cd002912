/**
 * The game, as the player sees it:
 *
 *   loading ──► ready ──press──► turning ──at rest──► won | noLuck ──press──► turning …
 *      │                          │   ▲
 *      │                          ▼   │ press, or the answer
 *      │                         waiting           no answer for 20 s; the wheel keeps turning
 *      │
 *      ├──► changed ──press──► turning             the wheel has changed; also after a press
 *      ├──► noSpins | paused | closed              refreshes: by the button, when the tab becomes visible
 *      ├──► offline | down                         the same, and every few seconds
 *      └──► expired | revoked | invalid | blocked | suspended            final: only another link helps
 *
 * After a refused play, the page goes from turning to one of the states below loading.
 */
import { type Pointer, restAngle } from './angle.ts'
import { isRefused, openSession, type Play, type PlayAnswer, type Session } from './api.ts'
import { prepareConfetti, throwConfetti } from './confetti.ts'
import { byId } from './dom.ts'
import { allowParents, isFramed, tellParent } from './embed.ts'
import { formatTime, loadLanguage, t } from './i18n.ts'
import { keepFramePass, noteShown, takeToken, wasShown } from './link.ts'
import { ownText, applyLook } from './look.ts'
import { showFairness, showOdds, showWins } from './sections.ts'
import { setUpSoundButton } from './sound-button.ts'
import { type PlayRequest, requestPlay } from './play.ts'
import { type Card, focusResult, showPanel } from './panel.ts'
import { isSameGame, readWheel, type Wheel } from './published.ts'
import { resultCard } from './result.ts'
import { Retrier } from './retry.ts'
import { fanfare, wakeSound } from './sound.ts'
import { place, startReveal } from './spin.ts'
import { idleStates, recheckMs, type State, stateAfter } from './states.ts'
import { beginTurn } from './turn.ts'
import type { Witness } from './verify.ts'
import { drawBulbs, drawWheel, highlight } from './wheel.ts'

const slowAfterMs = 20_000
const freshResultMs = 120_000
const staleAfterMs = 60_000

const token = takeToken()
const retrier = new Retrier()
const evidence = { published: new Map<string, string>(), witnesses: new Map<string, Witness>() }
/** Requested at once, while the language is still loading. */
let early = token === null ? undefined : openSession(token)
let state: State = 'loading'
let session: Session | undefined
let drawn: { wheel: Wheel; hash: string } | undefined
/** The wheel that the player was offered or played last. */
let seen: string | undefined
let angle = 0
let openedAtMs = 0
let recheck: ReturnType<typeof setTimeout> | undefined
let slow: ReturnType<typeof setTimeout> | undefined

function show(next: State, card?: Card): void {
  state = next
  showPanel(next, card)
  clearTimeout(recheck)
  if (next in recheckMs) recheck = setTimeout(() => document.hidden || void open(), recheckMs[next])
}

async function open(): Promise<void> {
  const before = state
  const isFirst = session === undefined
  openedAtMs = Date.now()
  const answer = await askForSession()
  // The player has moved on meanwhile, for example by a press. This answer must not disturb the game.
  if (state !== before) return
  if (isRefused(answer)) {
    show(stateAfter(answer.code))
    return
  }
  adopt(answer)
  const { lastPlay, answeredAt } = answer
  const isFresh = lastPlay !== null && answeredAt.getTime() - Date.parse(lastPlay.playedAt) < freshResultMs
  // For example, the page was reloaded while the wheel turned: the play was made, but its result was never shown.
  if (isFirst && isFresh && !wasShown(lastPlay.playId))
    showResult(answer, { play: lastPlay, isEarlier: true })
  else showIdle(answer)
  if (isFirst) tellParent({ type: 'opened', spinCount: answer.spinCount })
}

async function askForSession(): ReturnType<typeof openSession> {
  if (token === null) return { code: 'game_token_invalid', isPassing: false, waitMs: 0 }
  const answer = await (early ?? openSession(token))
  early = undefined
  return answer
}

/** Makes the server's answer the current session. */
function adopt(fresh: Session): void {
  session = fresh
  evidence.published.set(fresh.wheel.hash, fresh.wheel.published)
  showVersion(fresh.wheel.hash)
  showWins(fresh.wins, evidence)
  showFairness(fresh, evidence)
  allowParents(fresh.parentOrigins)
  if (isFramed) keepFramePass(fresh.framePass)
}

/** Draws that version of the wheel, unless it is already shown. */
function showVersion(hash: string): Wheel {
  if (drawn?.hash === hash) return drawn.wheel
  const wheel = readWheel(evidence.published.get(hash) as string)
  if (drawn === undefined) turnTo(startAngleOf(wheel))
  drawn = { wheel, hash }
  applyLook(wheel)
  drawWheel(wheel)
  byId('stage').setAttribute('aria-label', t('page.wheel', { count: wheel.segments.length }))
  showOdds(wheel.segments)
  return wheel
}

function showIdle({ wheel, spinCount }: Session): void {
  if (wheel.state === 'closed' && wheel.opensAt !== null) {
    show('closed', { text: t('closed.opens', { time: formatTime(wheel.opensAt) }) })
  } else if (wheel.state !== 'open') show(wheel.state)
  else if (spinCount === 0) show('noSpins')
  else offer(wheel, spinCount)
}

/** Offers a spin, and says so if the wheel has changed since the player saw it. */
function offer({ hash, published }: Session['wheel'], spinCount: number): void {
  const isChanged = seen !== undefined && !isSameGame(seen, published)
  seen = published
  const action = ownText(showVersion(hash), 'button')
  if (isChanged) show('changed', { action, note: t('spins.left', { count: spinCount }) })
  else show('ready', { count: spinCount, action })
}

function press(): void {
  if (state === 'loading' || state === 'turning') return
  if (state === 'waiting') {
    retrier.retryNow()
    showTurning()
  } else if (
    session !== undefined &&
    session.spinCount > 0 &&
    ['ready', 'changed', 'won', 'noLuck'].includes(state)
  ) {
    void spin(session)
  } else {
    show('loading')
    void open()
  }
}

/** Also starts the timer that tells the player when the answer takes long. */
function showTurning(): void {
  show('turning')
  slow = setTimeout(() => show('waiting'), slowAfterMs)
}

async function spin(before: Session): Promise<void> {
  // Opening the audio device takes up to 80 ms. After this delay the wheel turns without the main thread.
  setTimeout(wakeSound, 50)
  showTurning()
  highlight(null)
  showVersion(before.wheel.hash)
  seen = before.wheel.published
  const turn = beginTurn(() => (drawn as { wheel: Wheel }).wheel, angle)
  const onRequest = (request: PlayRequest) => evidence.witnesses.set(request.playId, request)
  const answer = await requestPlay({
    session: before,
    retrier,
    reopen: askForSession,
    onReopened: adopt,
    onRequest,
  })
  clearTimeout(slow)
  if (isRefused(answer) || 'changed' in answer) {
    await turn.brake()
    angle = turn.angleNow()
    return isRefused(answer) ? open() : showChanged(answer.changed)
  }
  if (state === 'waiting') show('turning')
  prepareConfetti()
  const wheel = showVersion(answer.play.proof.versionHash)
  angle = restAngleOf(wheel, answer.play)
  await turn.restAt(angle)
  finish(answer, wheel)
}

/** Fades the new wheel in at its start angle, so that the stop of the old one does not look like a result. */
async function showChanged(fresh: Session): Promise<void> {
  const reveal = startReveal(byId('disc'), { from: angle })
  adopt(fresh)
  angle = startAngleOf((drawn as { wheel: Wheel }).wheel)
  await reveal.restAt(angle)
  showIdle(fresh)
}

/** Called once the wheel is at rest: nothing on the page may reveal the result earlier. */
function finish({ play, spinCount, next }: PlayAnswer, wheel: Wheel): void {
  const before = session as Session
  const wins = play.won ? [play, ...before.wins] : before.wins
  session = { ...before, spinCount, next, wins, lastPlay: play }
  showWins(wins, evidence)
  showFairness(session, evidence)
  showResult(session, { play, isEarlier: false })
  tellParent({ type: 'played', playId: play.playId, segment: play.segment, won: play.won })
  if (!play.won) return
  tellParent({ type: 'won', playId: play.playId, kind: play.prize.kind })
  fanfare()
  void throwConfetti(wheel.segments.map((segment) => segment.colour))
}

function showResult(from: Session, result: { play: Play; isEarlier: boolean }): void {
  const { play } = result
  noteShown(play.playId)
  if (drawn?.hash === play.proof.versionHash) {
    if (result.isEarlier) turnTo(restAngleOf(drawn.wheel, play))
    highlight(play.segment)
  }
  show(play.won ? 'won' : 'noLuck', resultCard(from, result, evidence))
  focusResult()
}

function startAngleOf(wheel: Wheel): number {
  return restAngle({ segment: 0, chance: 0.5, ...dialOf(wheel) })
}

function restAngleOf(wheel: Wheel, { segment }: Play): number {
  return restAngle({ segment, chance: Math.random(), ...dialOf(wheel) })
}

function dialOf({ segments, look }: Wheel): { count: number; pointer: Pointer } {
  return { count: segments.length, pointer: look.pointer }
}

function turnTo(to: number): void {
  angle = to
  place(byId('disc'), to)
}

/** Spins may have been added or the wheel may have opened while the tab was hidden. */
function refreshIfStale(): void {
  if (idleStates.has(state) && !document.hidden && Date.now() - openedAtMs > staleAfterMs) void open()
}

byId('action').addEventListener('click', press)
// The hub looks like a button, so it works as one for pointers. Keyboards use the real button.
byId('hub').addEventListener('click', press)
document.addEventListener('visibilitychange', refreshIfStale)
addEventListener('online', () => {
  retrier.retryNow()
  if (['offline', 'down'].includes(state)) void open()
})
document.documentElement.classList.toggle('framed', isFramed)
drawBulbs()
await loadLanguage()
setUpSoundButton()
show('loading')
await open()
