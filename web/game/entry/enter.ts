/** A visitor's way from the public address to the game. The states are in entry-states.ts. */
import { isRefused, type Refused } from '../api.ts'
import { allowParents, tellParent } from '../embed.ts'
import { keepToken } from '../link.ts'
import { button, byId } from '../page/dom.ts'
import type { Card } from '../page/panel.ts'
import { countDownTo, isPast, momentIn, setClock } from '../states/countdown.ts'
import { recheckMs, type State } from '../states/states.ts'
import { formatTime, loadDefaultLanguage, preferredTags, t } from '../texts/i18n.ts'
import { readWheel, type Wheel } from '../wheel/published.ts'
import { Asking } from './asking.ts'
import { retitle, showCard, showEntryHeading } from './card.ts'
import { ChallengeSolver } from './challenge.ts'
import { CodeForm } from './code-form.ts'
import {
  askCode,
  type CodeSent,
  type Entered,
  type EntryOutcome,
  type EntryShown,
  loadEntry,
  sendCode,
  sendEntry,
  sendPass,
} from './entry-api.ts'
import { loadEntryTexts, say } from './entry-texts.ts'
import { EntryForm } from './form.ts'
import {
  forgetEntry,
  forgetPass,
  keep,
  keepPass,
  type Kept,
  keptEntry,
  keptPass,
  newKey,
  passForEntry,
} from './kept.ts'
import { canSolve, isLimit, stateOf, wrongTexts } from './refusals.ts'
import './entry.css'

const triesMax = 4

export type ShowWheel = (wheel: EntryShown['wheel']) => Wheel

/** Resolves with a game token. `showWheel` draws the wheel of the campaign. */
export function enter(showWheel: ShowWheel): Promise<string> {
  return new Promise((resolve) => new Visit(showWheel, resolve).start())
}

class Visit {
  readonly #showWheel: ShowWheel
  readonly #resolve: (token: string) => void
  readonly #asking = new Asking()
  readonly #solver = new ChallengeSolver((progress) => this.#form?.showProgress(progress))
  readonly #over = new AbortController()
  #shown: EntryShown | undefined
  #wheel: Wheel | undefined
  #form: EntryForm | undefined
  #code: CodeForm | undefined
  #onPress: () => void = () => undefined
  #recheck: ReturnType<typeof setTimeout> | undefined

  constructor(showWheel: ShowWheel, resolve: (token: string) => void) {
    this.#showWheel = showWheel
    this.#resolve = resolve
  }

  start(): void {
    const { signal } = this.#over
    byId('action').addEventListener('click', () => this.#onPress(), { signal })
    byId('hub').addEventListener('click', () => this.#pressHub(), { signal })
    addEventListener('online', () => this.#comeBack(), { signal })
    document.addEventListener('visibilitychange', () => this.#comeBack(), { signal })
    void this.#open()
  }

  #pressHub(): void {
    if (byId('action').hidden) this.#form?.focusFirst()
    else this.#onPress()
  }

  #comeBack(): void {
    if (document.hidden) return
    this.#asking.retryNow()
    if ((document.body.dataset.state as State) in recheckMs) void this.#open()
  }

  async #open(): Promise<void> {
    try {
      await this.#load()
    } catch (error) {
      reportError(error)
      this.#showWaiting('down')
    }
  }

  async #load(): Promise<void> {
    clearTimeout(this.#recheck)
    const [shown] = await Promise.all([loadEntry(preferredTags()[0] ?? 'en'), loadEntryTexts()])
    if (isRefused(shown)) return this.#refuse(shown)
    this.#shown = shown
    setClock(new Date(shown.now))
    document.body.classList.toggle('test', shown.isTest)
    allowParents(shown.parentOrigins)
    await loadDefaultLanguage(readWheel(shown.wheel.published).language)
    await loadEntryTexts()
    this.#wheel = this.#showWheel(shown.wheel)
    this.#showNext(shown)
  }

  #showNext(shown: EntryShown): void {
    const { isTooYoung, code, isSent } = keptEntry()
    if (isTooYoung) this.#show('tooYoung')
    else if (code !== null && !isPast(code.expiresAt)) this.#showCode(code)
    else if (isSent) this.#sendAgain()
    else if (keptPass() !== null) this.#showBack(shown)
    else this.#showEntry(shown)
  }

  #showEntry(shown: EntryShown): void {
    const { state, opensAt, closesAt } = shown
    if (state === 'open') this.#showForm()
    else if (state === 'paused' || state === 'full') this.#showWaiting(state)
    else if (state === 'ended')
      this.#showWaiting(
        'over',
        closesAt === null ? {} : { text: t('over.since', { time: formatTime(closesAt) }) },
      )
    else if (opensAt === null) this.#showWaiting('closed')
    else {
      const title = state === 'scheduled' ? { title: say('soon.title') } : {}
      this.#showWaiting('closed', {
        ...title,
        text: t('closed.opens', { time: formatTime(opensAt) }),
        opensAt,
      })
    }
  }

  #show(state: State, card: Card = {}, onPress: () => void = () => undefined): void {
    clearTimeout(this.#recheck)
    this.#onPress = onPress
    this.#code?.stop()
    showCard(state, card)
    const isInviting = ['form', 'code', 'back'].includes(state)
    showEntryHeading(this.#wheel, { isInviting })
  }

  /** States that end without the visitor. */
  #showWaiting(state: State, card: Card = {}): void {
    const again = () => {
      this.#show('loading')
      void this.#open()
    }
    this.#show(
      state,
      { action: t(state === 'down' || state === 'offline' ? 'down.action' : 'closed.action'), ...card },
      again,
    )
    if (card.opensAt !== undefined) countDownTo(card.opensAt, again)
    this.#recheck = setTimeout(() => document.hidden || void this.#open(), recheckMs[state] ?? 60_000)
  }

  #showBack({ state }: EntryShown): void {
    const footer =
      state === 'open' ? [button('quiet', say('back.other'), () => this.#showForm({ isFocused: true }))] : []
    this.#show('back', { footer }, () => void this.#return())
  }

  async #return(): Promise<void> {
    this.#show('loading')
    const answer = await sendPass(keptPass() ?? '')
    if (!isRefused(answer)) return this.#finish(answer)
    if (answer.isPassing) return this.#refuse(answer)
    forgetPass()
    this.#showEntry(this.#shown as EntryShown)
  }

  #showForm({ isFocused = false, note = '' } = {}): void {
    const shown = this.#shown as EntryShown
    if (shown.challenge === 'required' && !canSolve()) return this.#show('insecure')
    const form = new EntryForm(shown, keptEntry().typed)
    this.#form = form
    form.element.addEventListener('input', () => keep({ typed: form.typed() }))
    form.element.addEventListener('submit', (event) => {
      event.preventDefault()
      if (this.#asking.isRunning) this.#asking.retryNow()
      else if (form.check()) void this.#submit(form)
    })
    // Solved while the visitor is typing.
    if (shown.challenge === 'required')
      form.element.addEventListener('focusin', () => void this.#solver.solution(), { once: true })
    this.#show('form', { text: '', action: '', details: [form.element] })
    if (note !== '') form.showNote(note)
    else if (isFocused) form.focusFirst()
  }

  /** After a reload in the middle of a submission. */
  #sendAgain(): void {
    this.#showForm()
    if (this.#form !== undefined) void this.#submit(this.#form)
  }

  async #submit(form: EntryForm): Promise<void> {
    keep({ typed: form.typed(), isSent: true })
    form.setBusy()
    retitle('sending', say('form.title'))
    const answer = await this.#asking.during(
      () => this.#send(form),
      () => {
        form.setUnsent()
        retitle('unsent', say('unsent.title'))
      },
    )
    keep({ isSent: false })
    form.setReady()
    this.#solver.forget()
    if (isRefused(answer)) return this.#refuse(answer)
    if (answer.outcome === 'entered') return this.#finish(answer)
    const code = { ...answer, address: form.address() }
    keep({ code })
    this.#showCode(code)
  }

  /** Until there is an answer that another challenge or key would not change. */
  async #send(form: EntryForm): Promise<EntryOutcome | Refused> {
    const { form: asked, terms, challenge: isAsked } = this.#shown as EntryShown
    const body = {
      formVersion: asked.version,
      language: document.documentElement.lang,
      answers: form.answers(),
      terms: terms.hash,
    }
    let zone: { timeZone?: string } = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    let needsChallenge = isAsked === 'required'
    for (let tries = 0; tries < triesMax; tries++) {
      if (needsChallenge && !canSolve()) return { code: 'insecure', isPassing: false, waitMs: 0 }
      const solution = needsChallenge ? await this.#solve() : null
      if (solution !== null && isRefused(solution)) return solution
      const pass = passForEntry()
      const whole = { ...body, ...zone, ...solution, ...(pass === null ? {} : { pass }) }
      const answer = await this.#asking.once(() => sendEntry(whole, keptEntry().key))
      if (!isRefused(answer)) return answer
      if (answer.code === 'idempotency_key_reused') keep({ key: newKey() })
      // The browser has a time zone that is unknown to the server. Free spins can do without.
      else if (answer.problem?.errors?.[0]?.pointer === '/timeZone') zone = {}
      else if (answer.code.startsWith('challenge_')) {
        needsChallenge = true
        this.#solver.forget()
      } else return answer
    }
    return { code: 'challenge_failed', isPassing: false, waitMs: 0 }
  }

  #solve(): Promise<{ challenge: string } | Refused> {
    return this.#asking.once(async () => {
      const solution = await this.#solver.solution()
      return typeof solution === 'string' ? { challenge: solution } : solution
    })
  }

  #showCode(code: NonNullable<Kept['code']>): void {
    this.#code?.stop()
    const form = new CodeForm(code.address, {
      onCode: (typed) => (this.#asking.isRunning ? this.#asking.retryNow() : void this.#prove(form, typed)),
      onAgain: () => void this.#sendAnother(form),
      onOther: () => this.#enterAnew({ isFocused: true }),
    })
    this.#show('code', { text: '', action: '', details: [form.element] })
    this.#code = form
    form.waitUntil(code.resendAt)
    form.focus()
  }

  async #prove(form: CodeForm, typed: string): Promise<void> {
    const { session } = keptEntry().code as CodeSent
    form.setButton(t('loading.action'), false)
    retitle('proving', say('code.title'))
    const answer = await this.#asking.during(
      () => this.#asking.once(() => sendCode(session, typed)),
      () => form.setButton(say('unsent.action'), true),
    )
    form.setButton(say('code.action'), true)
    retitle('code', say('code.title'))
    if (isRefused(answer)) this.#refuseCode(form, answer)
    else this.#finish(answer)
  }

  async #sendAnother(form: CodeForm): Promise<void> {
    if (this.#asking.isRunning) return this.#asking.retryNow()
    const code = keptEntry().code as NonNullable<Kept['code']>
    const answer = await this.#asking.during(
      () => this.#asking.once(() => askCode(code.session)),
      () => form.showWrong(t('offline.title')),
    )
    if (isRefused(answer)) return this.#refuseCode(form, answer)
    keep({ code: { ...code, ...answer } })
    form.waitUntil(answer.resendAt)
    form.showSent()
  }

  #refuseCode(form: CodeForm, refused: Refused): void {
    const { code, waitMs, problem } = refused
    const count = problem?.attemptsLeft ?? 0
    if (code === 'code_wrong') form.showWrong(count > 0 ? say('code.wrong', { count }) : say('code.used'))
    else if (code === 'code_attempts_used') form.showWrong(say('code.used'))
    else if (code === 'code_expired') form.showWrong(say('code.expired'))
    else if (isLimit(code)) {
      form.showWrong(say('limited.title'))
      if (waitMs > 0) form.waitUntil(momentIn(waitMs))
    } else if (code === 'entry_session_invalid') this.#enterAnew({ note: say('code.gone') })
    else this.#refuse(refused)
  }

  /** Back to the form, for another entry with what was typed. */
  #enterAnew(how: { isFocused?: boolean; note?: string }): void {
    keep({ code: null, key: newKey(), isSent: false })
    this.#showForm(how)
  }

  #refuse({ code, waitMs, problem }: Refused): void {
    const again = () => this.#showForm({ isFocused: true })
    const form = this.#form
    if (form !== undefined && code in wrongTexts) {
      retitle('form', say('form.title'))
      const pointers = problem?.errors?.map(({ pointer }) => pointer) ?? []
      if (form.showRefused(pointers, wrongTexts[code]?.())) return
      this.#showWaiting('down')
    } else if (code === 'form_outdated') void this.#reload()
    else if (code === 'entry_too_young') {
      keep({ isTooYoung: true })
      forgetEntry()
      this.#show('tooYoung')
    } else if (isLimit(code)) this.#showLimited(waitMs)
    else if (code === 'entry_known') this.#show('known', { action: say('code.other') }, again)
    else if (code === 'challenge_failed') this.#show('checkFailed', { action: t('down.action') }, again)
    else if (code === 'insecure') this.#show('insecure')
    else if (code === 'entry_not_found') this.#show('missing')
    else this.#showWaiting(stateOf[code] ?? 'down')
  }

  /** The form or the terms have changed. What was typed is in the new form too. */
  async #reload(): Promise<void> {
    await this.#open()
    if (document.body.dataset.state === 'form') this.#form?.showNote(say('form.outdated'))
  }

  #showLimited(waitMs: number): void {
    const again = () => (this.#form === undefined ? void this.#open() : this.#showForm({ isFocused: true }))
    this.#show('limited', { action: waitMs > 0 ? '' : t('down.action') }, again)
    if (waitMs > 0) countDownTo(momentIn(waitMs), again, (time) => say('limited.wait', { time }))
  }

  #finish({ token, pass }: Entered): void {
    clearTimeout(this.#recheck)
    this.#over.abort()
    this.#code?.stop()
    this.#solver.forget()
    keepPass(pass)
    forgetEntry()
    tellParent({ type: 'entered' })
    byId('panel-title').focus()
    keepToken(token)
    this.#resolve(token)
  }
}
