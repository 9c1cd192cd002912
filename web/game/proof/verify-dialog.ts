/** "Verify this spin": recomputes the play in the player's browser. Words come first, numbers on request. */
import { isRefused, loadVersion, type Play } from '../api.ts'
import { copyText } from '../page/clipboard.ts'
import { button, html } from '../page/dom.ts'
import { formatTime, t } from '../texts/i18n.ts'
import { localised } from '../texts/own-texts.ts'
import { type PaceProof, paceProofOf } from './pace-proof.ts'
import { labelOf } from '../page/prize.ts'
import { readWheel } from '../wheel/published.ts'
import { openDialog } from './dialog.ts'
import { type RefusedSpin, refusedSpins } from './sent-seeds.ts'
import { verifyCommands } from './verify-commands.ts'
import { type Evidence, type Step, verifyPlay } from './verify.ts'

/** `published` is null if the wheel of the play could not be loaded. */
export type Checked = {
  play: Play
  published: string | null
  steps: Step[]
  pace: PaceProof
  /** The refusals of this spin, after its seed was sent. */
  refused: RefusedSpin[]
  isFair: boolean
}

export async function checkPlay(play: Play, evidence: Evidence): Promise<Checked> {
  const textOf = publishedIn(evidence)
  const witness = evidence.witnesses.get(play.playId) ?? null
  // The wheel that was asked for. A play that names another one fails.
  const published = await textOf(witness?.versionHash ?? play.proof.versionHash)
  const steps = published === null ? [] : safely(() => verifyPlay(play, published, witness))
  const isRight = steps.length > 0 && steps.every((step) => step.isRight)
  const pace: PaceProof =
    published !== null && isRight ? await paceProofOf(play, published) : { state: 'none' }
  const own = new Map([[play.playNumber, play]])
  const refused = (await refusedSpins(own, undefined, textOf)).filter((spin) => own.has(spin.number))
  const isFair = isRight && pace.state !== 'wrong' && refused.every(({ fate }) => fate !== 'changed')
  return { play, published, steps, pace, refused, isFair }
}

export async function openReport(play: Play, evidence: Evidence): Promise<void> {
  const content = report(await checkPlay(play, evidence))
  openDialog(t('verify.title', { number: play.playNumber }), content)
}

export function verdict(isGood: boolean, text: string): HTMLElement {
  return html('p', { class: isGood ? 'verdict good' : 'verdict bad' }, text)
}

/** ✓ or ✗, or a question mark for a fact that can't be checked. */
export function mark(isRight: boolean | null): HTMLElement {
  const [sign, name] =
    isRight === null
      ? (['?', 'verify.trusted'] as const)
      : isRight
        ? (['✓', 'verify.passed'] as const)
        : (['✗', 'verify.failed'] as const)
  return html('span', { class: 'mark', role: 'img', 'aria-label': t(name) }, sign)
}

/** The published text of a version; null if the server can't be reached. */
export function publishedIn({ published }: Evidence): (hash: string) => Promise<string | null> {
  return async (hash) => {
    const known = published.get(hash)
    if (known !== undefined) return known
    const version = await loadVersion(hash)
    return isRefused(version) ? null : version.published
  }
}

/** Only a refusal that changed nothing is proved to be harmless. Why the server refused is not. */
export function refusedLine({ number, fate, label }: RefusedSpin): HTMLElement {
  const [name, isRight] =
    fate === 'same'
      ? (['good', true] as const)
      : fate === 'changed'
        ? (['bad', false] as const)
        : (['trusted', null] as const)
  const text = t(`refused.${fate}`, { number, label })
  // The other two say that nothing changed, or what did.
  const unused = fate === 'would' || fate === 'open' ? ` ${t('spins.unused')}` : ''
  return html('li', { class: name }, mark(isRight), html('p', {}, text + unused))
}

/** Whether the outcome would have been another one without a refusal. */
export function isRedrawn({ refused }: Checked): boolean {
  return refused.some(({ fate }) => fate === 'would')
}

function report(checked: Checked): HTMLElement[] {
  const { play, published, steps, pace, refused, isFair } = checked
  if (published === null) return [html('p', {}, t('verify.unreachable'))]
  const isTrusting =
    isRedrawn(checked) || pace.state === 'trusted' || (pace.state === 'none' && play.fallbackReason !== null)
  const isLater = pace.state === 'later'
  const good = isTrusting ? 'verify.goodTrust' : isLater ? 'verify.goodLater' : 'verify.good'
  const trusted = steps.every((step) => step.isRight) ? explainTrust(play, published, pace) : []
  return [
    verdict(isFair, t(isFair ? good : play.proof.forced === true ? 'verify.forced' : 'verify.bad')),
    html(
      'ol',
      { class: 'steps' },
      ...steps.map((step) => showStep(step, published)),
      ...trusted,
      ...refused.map(refusedLine),
    ),
    unfolding(t('verify.details'), ...steps.flatMap(showNumbers)),
    ...elsewhere(play, steps, published),
  ]
}

/** After a fallback: which part is proved, and which the player has to believe. After a gate, what it proves. */
function explainTrust(play: Play, published: string, pace: PaceProof): HTMLElement[] {
  const { fallbackReason, proof } = play
  const drawn = localised(readWheel(published)).segments[proof.drawn]?.label ?? '?'
  const proved = t('verify.proved', { label: drawn, fallback: labelOf(play).text })
  const replaced =
    fallbackReason === null ? [] : [html('li', { class: 'good' }, mark(true), html('p', {}, proved))]
  return [...replaced, ...explainPace(play, pace)]
}

function explainPace({ fallbackReason }: Play, pace: PaceProof): HTMLElement[] {
  const line = (isRight: boolean | null, text: string) => {
    const name = isRight === null ? 'trusted' : isRight ? 'good' : 'bad'
    return html('li', { class: name }, mark(isRight), html('p', {}, text))
  }
  if (pace.state === 'later') return [line(null, t('pace.later', { time: formatTime(pace.endsAt) }))]
  if (pace.state === 'wrong') return [line(false, t('pace.wrong'))]
  if (pace.state === 'proved') {
    const { released, awards } = pace
    return [line(true, t('pace.proved', { released, awards }))]
  }
  if (pace.state === 'window') return fallbackReason === null ? [] : [line(true, t('pace.window'))]
  if (fallbackReason === null || fallbackReason === 'not_released' || fallbackReason === 'budget') return []
  return [line(null, t(`trust.${fallbackReason}`))]
}

/** Commands for any computer, and the proof as one line for `wheelhouse verify`. */
function elsewhere(play: Play, steps: readonly Step[], published: string): HTMLElement[] {
  const address = new URL('../api/v1/game/versions/', location.href).href
  const proof = html('code', { class: 'proof', dir: 'ltr', tabindex: 0 }, JSON.stringify({ play, published }))
  const copy = button('quiet', t('verify.copy'), async (pressed) => {
    pressed.textContent = t((await copyText(proof)) ? 'prize.copied' : 'prize.marked')
  })
  if (steps.length === 0) return [proof, copy]
  const commands = html(
    'code',
    { class: 'commands', dir: 'ltr', tabindex: 0 },
    verifyCommands(play, steps, published, address),
  )
  return [unfolding(t('verify.elsewhere'), html('p', {}, t('verify.commands')), commands, proof, copy)]
}

function unfolding(title: string, ...content: HTMLElement[]): HTMLElement {
  return html('details', {}, html('summary', {}, title), html('div', {}, ...content))
}

/** A malformed proof, for example with an odd number of digits, counts as a wrong one. */
function safely(verify: () => Step[]): Step[] {
  try {
    return verify()
  } catch {
    return []
  }
}

/** A published label in the player's language. */
function inOwnWords(published: string, label: string): string {
  const wheel = readWheel(published)
  const place = wheel.segments.findIndex((segment) => segment.label === label)
  return localised(wheel).segments[place]?.label ?? label
}

function showStep({ name, isRight, values }: Step, published: string): HTMLElement {
  const { label } = values
  const shown = typeof label === 'string' ? { ...values, label: inOwnWords(published, label) } : values
  return html(
    'li',
    { class: isRight ? 'good' : 'bad' },
    mark(isRight),
    html('p', {}, t(`verify.${name}`, shown)),
  )
}

/** The numbers of a step. The result has none: it is told in words. */
function showNumbers({ name, evidence, values }: Step): HTMLElement[] {
  if (name === 'result') return []
  // The published text scrolls within its box, so the box must be focusable by keyboard.
  return [html('p', {}, t(`verify.${name}`, values)), html('code', { dir: 'ltr', tabindex: 0 }, evidence)]
}
