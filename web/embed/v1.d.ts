/** The types of `<wheelhouse-game>`, version 1. */
export interface WheelhouseGameAttributes {
  /** The game link. Without `link` and `entry`, nothing is shown. */
  link?: string
  /** The public address of a campaign, where visitors enter before they play. `link` goes before it. */
  entry?: string
  /** By default `inline`. */
  mode?: 'inline' | 'dialog' | 'corner'
  /** When the game appears, such as `exit; delay 30; click .play`. By default `load`. */
  trigger?: string
  /** The title of the dialog, and the name of the frame. */
  label?: string
  /** The name of the close button. */
  'close-label'?: string
  /** There while the game is shown. */
  open?: boolean | ''
}

/** The events, by their names. They don't bubble. */
export interface WheelhouseGameEventMap {
  show: CustomEvent<object>
  entered: CustomEvent<object>
  opened: CustomEvent<{ spinCount: number }>
  played: CustomEvent<{ playId: string; segment: number; won: boolean }>
  won: CustomEvent<{ playId: string; kind: string }>
  close: CustomEvent<object>
}

export interface WheelhouseGameElement extends HTMLElement {
  open: boolean
  show(): void
  close(): void
  addEventListener<Name extends keyof WheelhouseGameEventMap>(
    type: Name,
    listener: (this: WheelhouseGameElement, event: WheelhouseGameEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

declare global {
  interface HTMLElementTagNameMap {
    'wheelhouse-game': WheelhouseGameElement
  }
}
