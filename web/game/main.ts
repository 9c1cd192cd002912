/** The game, as the player sees it. Its states are in states/states.ts. */
import { isRefused, openSession, type Play, type PlayAnswer, type PlayRequest, type Session } from './api.ts'
import { afterPlay } from './wheel/availability.ts'
import { celebrate } from './effects/celebrate.ts'
import { endConfetti, prepareConfetti } from './effects/confetti.ts'
import { countDownTo, isPast, setClock, soonMs, watchClosing } from './states/countdown.ts'
import { describeWheel } from './page/description.ts'
import { byId } from './page/dom.ts'
import { type Push, setUpDrag } from './wheel/drag.ts'
import { allowParents, isFramed, tellParent } from './embed.ts'
import { followUps } from './states/follow-ups.ts'
import { showFreeSpins } from './states/free-spins.ts'
import { loadDefaultLanguage, loadLanguage, t } from './texts/i18n.ts'
import { idleCard, idleStateOf, invites } from './states/idle.ts'
import { keepFramePass, noteShown, takeToken } from './link.ts'
import { applyLook, showHeading } from './look/look.ts'
import { localised, ownText } from './texts/own-texts.ts'
import { showGames, showOdds, showPlays } from './page/sections.ts'
import { setUpSoundButton } from './effects/sound-button.ts'
import { requestPlay } from './play.ts'
import { type Card, focusResult, showNextStep, showPanel } from './page/panel.ts'
import { isSameGame, readWheel, type Wheel } from './wheel/published.ts'
import { missedPlay, nextStep, resultCard } from './states/result.ts'
import { Retrier } from './retry.ts'
import { wakeSound } from './effects/sound.ts'
import { place, type Spin, startReveal } from './wheel/spin.ts'
import { firstExpiry, playable, spinsLeft } from './states/spins-left.ts'
import { busyStates, idleStates, recheckMs, type State, stateAfter } from './states/states.ts'
import { beginTurn, restAngleOf, startAngleOf } from './wheel/turn.ts'
import type { Witness } from './proof/verify.ts'
import { drawBulbs, drawWheel, highlight } from './wheel/wheel.ts'

const slowAfterMs = 3_000
const staleAfterMs = 60_000

const preview = isFramed ? new URLSearchParams(location.search).get('preview') : null
const isPreview = preview !== null
/** The page of a campaign's public address: a visitor enters before the game. */
const isEntry = document.documentElement.dataset.root !== undefined
let token = isPreview ? 'preview' : takeToken()
const retrier = new Retrier()
const evidence = { published: new Map<string, string>(), witnesses: new Map<string, Witness>() }
let state: State = 'loading'
let session: Session | undefined
let drawn: { wheel: Wheel; hash: string; shownAs: string } | undefined
/** The wheel that the player was offered or played last. */
let seen: string | undefined
/** The play that the card shows, or showed last. */
let result: Play | undefined
let angle = 0
let openedAtMs = 0
let isWronglyOffline = false
let recheck: ReturnType<typeof setTimeout> | undefined
let slow: ReturnType<typeof setTimeout> | undefined
const isInviting = () => invites(state, session)
const shownWin = () => (state === 'won' ? result : undefined)
const askAfterWin = followUps({ session: () => session as Session, shownWin, reopen: askForSession, adopt })
const wheelNow = () => (drawn as { wheel: Wheel }).wheel

function show(next: State, card?: Card): void {
  state = next
  showPanel(next, card)
  // While the page looks again, the heading stays as it is.
  if (next !== 'loading' || drawn === undefined) showHeading(drawn?.wheel, { isInviting: isInviting() })
  countDownTo(card?.opensAt, () => void open())
  clearTimeout(recheck)
  clearTimeout(slow)
  if (next in recheckMs) recheck = setTimeout(() => document.hidden || void open(), recheckMs[next])
}

type Cause = { isAfterPress?: boolean; isAfterFault?: boolean }

/** `isAfterPress`: a play was just refused. `isAfterFault`: a play may have been made, but could not be shown. */
async function open(cause: Cause = {}): Promise<void> {
  try {
    await openGame(cause)
  } catch (error) {
    reportError(error)
    show('down')
  }
}

async function openGame({ isAfterPress = false, isAfterFault = false }: Cause): Promise<void> {
  const before = state
  const isFirst = session === undefined
  openedAtMs = Date.now()
  const answer = await askForSession()
  // The player has moved on meanwhile, for example by a press. This answer must not disturb the game.
  if (state !== before) return
  if (isRefused(answer))
    return isEntry && answer.code.startsWith('game_token_') ? enterAgain() : show(stateAfter(answer.code))
  isWronglyOffline = !navigator.onLine
  if (isFirst) await loadDefaultLanguage(readWheel(answer.wheel.published).language)
  adopt(answer)
  const missed = isFirst || isAfterFault ? missedPlay(answer) : null
  if (missed !== null) showResult(answer, { play: missed, isEarlier: true })
  else showIdle(answer, { isAfterPress })
  if (isFirst) tellParent({ type: 'opened', spinCount: answer.spinCount })
}

async function askForSession(): ReturnType<typeof openSession> {
  if (token === null) return { code: 'game_token_invalid', isPassing: false, waitMs: 0 }
  return openSession(token, session)
}

/** Makes the server's answer the current session. */
function adopt(fresh: Session): void {
  session = fresh
  setClock(fresh.answeredAt)
  document.body.classList.toggle('test', fresh.isTest === true)
  evidence.published.set(fresh.wheel.hash, fresh.wheel.published)
  showVersion(fresh.wheel.hash)
  showGames(token, fresh, choose)
  showPlays(token, fresh, evidence)
  watchClosing(fresh.wheel.openUntil, closeNow)
  showFreeSpins(fresh, refresh)
  allowParents(fresh.parentOrigins)
  if (isFramed && !isEntry) keepFramePass(fresh.framePass)
}

/** Draws that version of the wheel, and marks the prizes that can't be won now, unless it is already shown. */
function showVersion(hash: string, from: Partial<Session['wheel']> = { ...session?.wheel }): Wheel {
  const { unavailable = [] } = from.hash === hash ? from : {}
  const shownAs = JSON.stringify([document.documentElement.lang, unavailable])
  if (drawn?.hash === hash && drawn.shownAs === shownAs) return drawn.wheel
  const published = evidence.published.get(hash)
  // A play may name a wheel that was never shown. Its proof fails.
  if (published === undefined && drawn !== undefined) return drawn.wheel
  const wheel = localised(readWheel(published as string))
  if (drawn === undefined) turnTo(startAngleOf(wheel))
  drawn = { wheel, hash, shownAs }
  applyLook(wheel)
  drawWheel(wheel, new Set(unavailable.map(({ segment }) => segment)))
  describeWheel(wheel, unavailable)
  showOdds(wheel, unavailable)
  return wheel
}

function showIdle(from: Session, cause: { isAfterPress: boolean }): void {
  const idle = idleStateOf(from)
  if (idle === 'ready') offer(from)
  else show(idle, idleCard(from, idle, cause))
}

/** Nothing invites to press from the closing time on. Only the server knows whether the wheel will open again. */
function closeNow(): void {
  if (state === 'ready' || state === 'changed') show('closed')
  setTimeout(refresh, soonMs())
}

function refresh(): void {
  void (idleStates.has(state) ? open() : refreshResult())
}

/** Offers a spin, and says so if the wheel has changed since the player saw it. */
function offer({ wheel: { hash, published }, ...spins }: Session): void {
  const isChanged = seen !== undefined && !isSameGame(seen, published)
  seen = published
  const action = ownText(showVersion(hash), 'button')
  if (isChanged) show('changed', { action, note: spinsLeft(spins) })
  else show('ready', { count: playable(spins), action, note: firstExpiry(spins) })
}

function press(push?: Push): void {
  if (state === 'loading' || state === 'turning' || byId('action').hidden) return
  if (state === 'waiting') {
    retrier.retryNow()
    showTurning()
  } else if (session !== undefined && isInviting()) {
    if (isOffline()) show('offline')
    else void spin(session, push)
  } else {
    showLoading()
    void open()
  }
}

/** Also starts the timer that tells the player when the answer takes long. */
function showLoading(): void {
  show('loading')
  slow = setTimeout(() => show('loading', { text: t('loading.slow') }), slowAfterMs)
}

function showTurning(): void {
  show('turning')
  slow = setTimeout(() => show('waiting'), slowAfterMs)
}

async function spin(before: Session, push?: Push): Promise<void> {
  endConfetti()
  // Opening the audio device takes up to 80 ms. After this delay the wheel turns without the main thread.
  setTimeout(wakeSound, 50)
  showTurning()
  highlight(null)
  const { direction } = showVersion(before.wheel.hash).look
  seen = before.wheel.published
  const turn = beginTurn(wheelNow, push ?? { from: angle, direction, startSpeed: 0 })
  try {
    await playOut(before, turn)
  } catch (error) {
    // An answer that can't be shown must not leave the wheel turning. The session has the result, if there is one.
    reportError(error)
    if (state !== 'turning' && state !== 'waiting') return
    show('turning')
    await turn.brake()
    angle = turn.angleNow()
    await open({ isAfterFault: true })
  }
}

async function playOut(before: Session, turn: Spin): Promise<void> {
  const onRequest = (request: PlayRequest) => evidence.witnesses.set(request.playId, request)
  const answer = await requestPlay({
    session: before,
    retrier,
    reopen: askForSession,
    onReopened: adopt,
    onRequest,
  })
  if (state === 'waiting') show('turning')
  clearTimeout(slow)
  if (isRefused(answer) || 'changed' in answer) {
    await turn.brake()
    angle = turn.angleNow()
    return isRefused(answer) ? open({ isAfterPress: true }) : showChanged(answer.changed)
  }
  prepareConfetti()
  const wheel = showVersion(answer.play.proof.versionHash)
  angle = restAngleOf(wheel, answer.play.segment)
  await turn.restAt(angle)
  finish(answer, wheel)
}

/** Fades the new wheel in at its start angle, so that the stop of the old one does not look like a result. */
async function showChanged(fresh: Session): Promise<void> {
  const reveal = startReveal(byId('disc'), { from: angle })
  adopt(fresh)
  angle = startAngleOf(wheelNow())
  await reveal.restAt(angle)
  showIdle(fresh, { isAfterPress: true })
}

/** Called once the wheel is at rest: nothing on the page may reveal the result earlier. */
function finish({ play, spinCount, spinsExpire = [], free, next }: PlayAnswer, wheel: Wheel): void {
  const before = session as Session
  const wins = play.won ? [play, ...before.wins] : before.wins
  const unavailable = afterPlay(before.wheel.unavailable, play)
  const spins = { spinCount, spinsExpire, free: free ?? null, next }
  session = { ...before, ...spins, wins, lastPlay: play, wheel: { ...before.wheel, unavailable } }
  showVersion(play.proof.versionHash)
  showGames(token, session, choose)
  showPlays(token, session, evidence)
  showFreeSpins(session, refresh)
  showResult(session, { play, isEarlier: false })
  // It may have been the last one. The closing time may have passed while the wheel turned.
  const isLimited = wheel.segments[play.segment]?.limited === true || play.fallbackReason !== null
  if (isLimited || isPast(before.wheel.openUntil)) void refreshResult()
  celebrate(play, wheel)
}

/** Shows what can be won and offered after a result. The result itself stays as it is. */
async function refreshResult(): Promise<void> {
  if (isPreview || !['won', 'noLuck'].includes(state)) return
  const before = session
  const answer = await askForSession()
  const isMeanwhile = session !== before || result === undefined || !['won', 'noLuck'].includes(state)
  // A wheel that has changed is shown after the next press, not below a result of the old one.
  if (isMeanwhile || isRefused(answer) || answer.wheel.hash !== drawn?.hash) return
  adopt(answer)
  if (result !== undefined) highlight(result.segment)
  showNextStep(nextStep(answer))
  showHeading(drawn.wheel, { isInviting: isInviting() })
}

function showResult(from: Session, shown: { play: Play; isEarlier: boolean }): void {
  const { play } = shown
  result = play
  noteShown(play.playId)
  if (drawn?.hash === play.proof.versionHash) {
    if (shown.isEarlier) turnTo(restAngleOf(drawn.wheel, play.segment))
    highlight(play.segment)
  }
  show(play.won ? 'won' : 'noLuck', resultCard(from, shown, evidence))
  focusResult()
  askAfterWin(from, play)
}

/** Opens another campaign of the same link. */
function choose(campaign: string): void {
  if (busyStates.has(state) || session?.campaign === undefined) return
  session = { ...session, campaign: { ...session.campaign, campaign } }
  seen = undefined
  highlight(null)
  showLoading()
  void open()
}

/** Another draft in the console's preview is no change of the game. */
function showDraft(): void {
  if (state === 'turning') return
  seen = undefined
  void open()
}

function turnTo(to: number): void {
  angle = to
  place(byId('disc'), to)
}

/** Spins may have been added or the wheel may have opened while the tab was hidden. */
function refreshIfStale(): void {
  const isStale = Date.now() - openedAtMs > (recheckMs[state] ?? staleAfterMs)
  if (idleStates.has(state) && !document.hidden && isStale) void open()
}

/** A wheel that does not turn for this player does not follow the finger either. */
function canDrag(): boolean {
  const isMoving = !matchMedia('(prefers-reduced-motion: reduce)').matches
  return isMoving && ['ready', 'changed', 'won', 'noLuck'].includes(state) && isInviting()
}

/** Where nothing turns, the player learns at once that no spin would get through. */
function noticeOffline(): void {
  if (idleStates.has(state) && state !== 'over' && isOffline()) show('offline')
}

/** Some browsers say so although there is a connection. An answer proves them wrong. */
function isOffline(): boolean {
  return !navigator.onLine && !isWronglyOffline
}

byId('action').addEventListener('click', () => press())
// The hub looks like a button, so it works as one for pointers. Keyboards use the real button.
byId('hub').addEventListener('click', () => press())
setUpDrag({ canDrag, angle: () => angle, onPush: press })
document.addEventListener('visibilitychange', refreshIfStale)
addEventListener('offline', noticeOffline)
addEventListener('online', () => {
  retrier.retryNow()
  if (['offline', 'down'].includes(state)) void open()
})
byId('stuck').remove()
document.documentElement.classList.toggle('framed', isFramed)
document.documentElement.classList.toggle('preview', isPreview)
drawBulbs()
void start()

/** No await at the top level: the parts that are loaded later import this file, and would wait for it. */
async function start(): Promise<void> {
  await loadLanguage()
  setUpSoundButton()
  showLoading()
  if (preview === 'entry') return (await import('./entry/preview-entry.ts')).previewEntry(showNewWheel)
  if (isPreview) await (await import('./preview.ts')).startPreview(showDraft)
  await open()
}

/** The entry gives the token that other players have in their link. */
async function enterAgain(): Promise<void> {
  clearTimeout(slow)
  const { enter } = await import('./entry/enter.ts')
  token = await enter(showNewWheel)
  showLoading()
  await open()
}

function showNewWheel(from: Pick<Session['wheel'], 'hash' | 'published' | 'unavailable'>): Wheel {
  evidence.published.set(from.hash, from.published)
  return showVersion(from.hash, from)
}
