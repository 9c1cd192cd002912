import { arm } from './triggers.ts'
import css from './element.css?inline'
import type { WheelhouseGameAttributes, WheelhouseGameElement, WheelhouseGameEventMap } from './v1.d.ts'

/**
 * `<wheelhouse-game link="…">` shows the game in a merchant's own page: inline, as a dialog, or in a corner. With
 * `entry`, it is the page where visitors enter. The frame with the game exists only while the element is connected and
 * has the attribute `open`, which the triggers set.
 */
class WheelhouseGame extends HTMLElement implements WheelhouseGameElement {
  static readonly observedAttributes: (keyof WheelhouseGameAttributes)[] = [
    'link',
    'entry',
    'mode',
    'trigger',
    'label',
    'close-label',
    'open',
  ]

  readonly #shadow = this.attachShadow({ mode: 'open' })
  /** Aborted when the element is disconnected or its trigger changes. Undefined while it is not connected. */
  #armed: AbortController | undefined
  /** Aborted when the frame goes. */
  #shown: AbortController | undefined
  /** Whether somebody asked for the game, so that it may take the focus. */
  #isWanted = false
  /** Had the focus when a corner took it. */
  #opener: HTMLElement | null = null

  constructor() {
    super()
    // A constructed sheet, because strict content security policies forbid style elements and attributes.
    this.#shadow.adoptedStyleSheets = [sheet]
  }

  get open(): boolean {
    return this.hasAttribute('open')
  }

  set open(isOpen: boolean) {
    this.toggleAttribute('open', isOpen)
  }

  show(): void {
    this.#isWanted = true
    this.open = true
  }

  close(): void {
    this.open = false
  }

  connectedCallback(): void {
    this.#render()
    this.#arm()
  }

  disconnectedCallback(): void {
    this.#armed?.abort()
    this.#armed = undefined
    this.#clear()
  }

  /** Makes `moveBefore` keep the frame and its game. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    // An element that is upgraded gets its attributes before it is connected.
    if (this.#armed === undefined || before === now) return
    if (name === 'trigger') this.#arm()
    else {
      const wasShown = this.#clear()
      this.#render()
      if (wasShown && !this.open) this.#tell('close')
    }
  }

  #arm(): void {
    this.#armed?.abort()
    this.#armed = new AbortController()
    const show = (isWanted: boolean) => {
      this.#isWanted = isWanted
      this.open = true
    }
    try {
      arm(this.getAttribute('trigger') ?? 'load', show, this.#armed.signal)
    } catch (error) {
      this.#fail((error as Error).message)
    }
  }

  #render(): void {
    // A player whom the shop knows has a link.
    const name = this.hasAttribute('link') ? 'link' : 'entry'
    const link = this.getAttribute(name)
    // Without an address it waits for one: frameworks may set it later.
    if (!this.open || link === null) return
    const url = URL.canParse(link, location.href) ? new URL(link, location.href) : undefined
    const mode = this.getAttribute('mode') ?? 'inline'
    if (url === undefined || !/^https?:$/.test(url.protocol))
      return this.#fail(`${name} is not an http(s) address`)
    if (!['inline', 'dialog', 'corner'].includes(mode))
      return this.#fail('mode is not inline, dialog or corner')
    this.#shown = new AbortController()
    const { signal } = this.#shown
    const frame = make('iframe', { part: 'frame', title: this.#label, allow: 'clipboard-write' })
    this.#listen(frame, { origin: url.origin, canClose: mode !== 'inline', signal })
    frame.src = url.href
    if (mode === 'inline') this.#shadow.append(frame)
    else this.#openDialog(frame, mode, signal)
    this.#isWanted = false
    this.#tell('show')
  }

  #openDialog(frame: HTMLIFrameElement, mode: string, signal: AbortSignal): void {
    const closeLabel = this.getAttribute('close-label') ?? 'Close'
    const button = make('button', { part: 'close', type: 'button', 'aria-label': closeLabel })
    const dialog = make('dialog', { part: 'dialog', class: mode, 'aria-label': this.#label })
    const bar = make('div', { part: 'bar' })
    bar.append(this.#label, button)
    dialog.append(bar, frame)
    this.#shadow.append(dialog)
    button.addEventListener('click', () => this.close(), { signal })
    dialog.addEventListener('close', () => this.close(), { signal })
    if (mode === 'dialog') return dialog.showModal()
    // Only for a modal dialog does the browser do this itself.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.close()
    }
    dialog.addEventListener('keydown', closeByKey, { signal })
    this.#opener = focused()
    if (this.#isWanted) dialog.show()
    // Appears without taking the focus from what the visitor is doing.
    else dialog.open = true
  }

  /**
   * Removes the frame, and says whether there was one. Closing the dialog first returns the focus, except from the
   * frame of a corner.
   */
  #clear(): boolean {
    if (this.#shown === undefined) return false
    this.#shown.abort()
    this.#shown = undefined
    const hadFocus = this.#shadow.activeElement !== null
    this.#shadow.querySelector('dialog')?.close()
    this.#shadow.replaceChildren()
    if (hadFocus) this.#opener?.focus()
    this.#opener = null
    return true
  }

  /** Accepts messages of the game in this frame only. */
  #listen(
    frame: HTMLIFrameElement,
    { origin, canClose, signal }: { origin: string; canClose: boolean; signal: AbortSignal },
  ): void {
    const receive = (event: MessageEvent) => {
      if (event.source !== frame.contentWindow || event.origin !== origin) return
      const { source, type, ...detail } = Object(event.data) as Record<string, unknown>
      if (source !== 'wheelhouse') return
      frame.classList.add('here')
      if (type === 'height') frame.style.height = `${Number(detail.height)}px`
      else if (type === 'close' && canClose) this.close()
      else if (type === 'entered' || type === 'opened' || type === 'played' || type === 'won')
        this.#tell(type, detail)
    }
    const giveUp = () => {
      if (signal.aborted || frame.className !== '') return
      this.#fail(`the game does not answer. Is ${location.origin} among the merchant's embedding origins?`)
      this.close()
    }
    addEventListener('message', receive, { signal })
    frame.addEventListener('load', () => setTimeout(giveUp, answerMs), { signal })
  }

  get #label(): string {
    return this.getAttribute('label') ?? 'Spin the wheel'
  }

  /** Later, so that a page can add its listener after the element. */
  #fail(message: string): void {
    console.error(`<wheelhouse-game>: ${message}`)
    queueMicrotask(() => this.#tell('error', { message }))
  }

  #tell(type: keyof WheelhouseGameEventMap | 'error', detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

// Where browsers tell a frame who its parent is, the game answers before it has loaded the player's session.
const answerMs = 'ancestorOrigins' in location ? 3_000 : 10_000

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

/** The element with the focus, also inside shadow trees. */
function focused(): HTMLElement | null {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found as HTMLElement | null
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

// The script may be loaded twice.
if (customElements.get('wheelhouse-game') === undefined)
  customElements.define('wheelhouse-game', WheelhouseGame)
