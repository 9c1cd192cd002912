/** The code that was sent to the visitor's address: its field, and the ways on without it. */
import { button, html } from '../page/dom.ts'
import { isPast, untilMs } from '../states/countdown.ts'
import { formatDuration } from '../texts/i18n.ts'
import { westernDigits } from './digits.ts'
import { say } from './entry-texts.ts'

type Press = { onCode: (code: string) => void; onAgain: () => void; onOther: () => void }

export class CodeForm {
  readonly element: HTMLFormElement
  readonly #input = html('input', {
    id: 'code',
    class: 'digits',
    inputmode: 'numeric',
    maxlength: 12,
    dir: 'ltr',
    'aria-required': 'true',
    'aria-describedby': 'code-text wrong-code',
  })
  readonly #error = html('p', { class: 'error', id: 'wrong-code', role: 'alert' })
  readonly #status = html('p', { class: 'hint', role: 'status' })
  readonly #wait = html('p', { class: 'hint', role: 'timer' })
  readonly #submit = html('button', { class: 'primary', type: 'submit' }, say('code.action'))
  readonly #again: HTMLButtonElement
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(address: string, { onCode, onAgain, onOther }: Press) {
    this.#input.autocomplete = 'one-time-code'
    this.#again = button('secondary', say('code.again'), () => {
      if (!this.#again.hidden) onAgain()
    })
    const label = html('label', { for: 'code' }, say('code.label'))
    this.element = html(
      'form',
      { class: 'entry', novalidate: true, 'aria-labelledby': 'panel-title' },
      html('p', { class: 'hint', id: 'code-text' }, say('code.text', { address })),
      html('div', { class: 'field' }, label, this.#input, this.#error),
      this.#submit,
      html('p', { class: 'hint' }, say('code.spam')),
      this.#status,
      this.#wait,
      html('div', { class: 'ways' }, this.#again, button('quiet', say('code.other'), onOther)),
    )
    this.element.addEventListener('submit', (event) => {
      event.preventDefault()
      const code = westernDigits(this.#input.value).replace(/\D/g, '')
      if (code.length === 6) onCode(code)
      else this.showWrong(say('code.digits'))
    })
  }

  /** Another code can be asked for from that moment on. */
  waitUntil(moment: string): void {
    this.stop()
    const show = () => {
      const isOver = isPast(moment)
      this.#again.hidden = !isOver
      this.#wait.hidden = isOver
      if (isOver) this.stop()
      else this.#wait.textContent = say('code.wait', { time: formatDuration(untilMs(moment)) })
    }
    this.#timer = setInterval(show, 1_000)
    show()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The visitor types again, or asks for another code. */
  showWrong(text: string): void {
    this.#error.textContent = text
    this.#input.setAttribute('aria-invalid', 'true')
    this.#status.textContent = ''
    this.#input.focus()
    this.#input.select()
  }

  showSent(): void {
    this.#error.textContent = ''
    this.#input.setAttribute('aria-invalid', 'false')
    this.#input.value = ''
    this.#status.textContent = say('code.sent')
    this.#input.focus()
  }

  setButton(action: string, isPressable: boolean): void {
    this.#submit.textContent = action
    this.#submit.setAttribute('aria-disabled', String(!isPressable))
    this.#input.readOnly = !isPressable
  }

  focus(): void {
    this.#input.focus()
  }
}
