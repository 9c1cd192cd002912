/** Builds the page's elements. Children are nodes or text, never markup, so a merchant's text can't become code. */
type Attributes = Record<string, string | number | boolean>
type Child = Node | string

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children)
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

/** A picture, or the fallback if the browser can't decode it. */
export function picture(src: string, fallback: Child): HTMLImageElement {
  const made = html('img', { src, alt: '' })
  made.addEventListener('error', () => made.replaceWith(fallback))
  return made
}

/** A button of the given look; `onPress` gets the button, to change its text. */
export function button(
  look: string,
  text: string,
  onPress: (pressed: HTMLButtonElement) => void | Promise<void>,
): HTMLButtonElement {
  const made = html('button', { type: 'button', class: look }, text)
  made.addEventListener('click', () => void onPress(made))
  return made
}

/** Replaces only the contents, so a section that the player opened stays open. */
export function fillSection(id: string, title: string, ...content: HTMLElement[]): void {
  byId(id).replaceChildren(html('summary', {}, title), html('div', {}, ...content))
}

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children)
  return element
}
