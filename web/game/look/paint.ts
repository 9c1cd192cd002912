/** The merchant's look on a page. Texts stay readable with any colours: contrast takes precedence. */
import { byId } from '../page/dom.ts'
import { setAddress } from '../texts/i18n.ts'
import type { Look } from '../wheel/published.ts'
import { type Colour, contrast, isDark, mix, readableOn, textOn } from './colour.ts'

/** Colours, shapes, logo and name, and how the player is addressed. */
export function showMerchant(look: Look): void {
  paint(document.documentElement, look)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', look.background)
  setAddress(look.address)
  const logo = byId('logo') as HTMLImageElement
  logo.hidden = look.logo === null
  logo.addEventListener('error', () => (logo.hidden = true), { once: true })
  if (look.logo !== null) logo.src = look.logo
  byId('merchant').textContent = look.merchantName ?? ''
}

/** The colours and shapes of a look. */
function paint(target: HTMLElement, look: Look): void {
  for (const [name, value] of Object.entries(coloursOf(look))) target.style.setProperty(`--${name}`, value)
  const { rim, pointer, backdrop, corners } = look.theme
  Object.assign(target.dataset, {
    rim,
    tip: pointer,
    corners,
    font: look.font,
    backdrop: look.picture === null ? backdrop : 'picture',
  })
  target.style.setProperty('--picture', look.picture === null ? 'none' : `url("${look.picture}")`)
  target.style.colorScheme = isDark(look.background) ? 'dark' : 'light'
}

function coloursOf({ background, surface, accent, text }: Look): Record<string, Colour> {
  const onBackground = readableOn(text, background)
  const onSurface = readableOn(text, surface)
  return {
    background,
    surface,
    accent,
    'on-accent': textOn(accent),
    'on-background': onBackground,
    'on-surface': onSurface,
    'muted-on-background': readableOn(mix(onBackground, background, 0.75), background),
    'muted-on-surface': readableOn(mix(onSurface, surface, 0.75), surface),
    // For the focus ring; WCAG requires a contrast of 3.
    focus: contrast(accent, background) >= 3 ? accent : onBackground,
  }
}
