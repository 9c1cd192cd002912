/** Applies the merchant's look. Texts stay readable with any colours: contrast takes precedence. */
import { type Colour, contrast, isDark, mix, readableOn, textOn } from './colour.ts'
import { byId } from '../page/dom.ts'
import { loadFont } from './fonts.ts'
import { setAddress, t } from '../texts/i18n.ts'
import { ownText, write } from '../texts/own-texts.ts'
import type { Look, OwnText, Wheel } from '../wheel/published.ts'
import { setSounds } from '../effects/sound.ts'
import { showSoundButton } from '../effects/sound-button.ts'
import { redrawWheel } from '../wheel/wheel.ts'

export function applyLook(wheel: Wheel): void {
  const { look } = wheel
  paint(document.documentElement, look)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', look.background)
  setAddress(look.address)
  setSounds(look)
  showSoundButton()
  void fitToFont(wheel)
  const logo = byId('logo') as HTMLImageElement
  logo.hidden = look.logo === null
  logo.addEventListener('error', () => (logo.hidden = true), { once: true })
  if (look.logo !== null) logo.src = look.logo
  byId('merchant').textContent = look.merchantName ?? ''
}

/** Labels were measured in the fallback font. Once the look's font has arrived, they are measured again. */
async function fitToFont({ look, segments }: Wheel): Promise<void> {
  const labels = segments.map(({ label }) => label).join('')
  const isNew = await loadFont(look.font, labels)
  if (isNew) redrawWheel()
}

/** Invites to play only where playing is possible. */
export function showHeading(wheel: Wheel | undefined, { isInviting }: { isInviting: boolean }): void {
  const own = (name: OwnText) => (wheel === undefined ? null : ownText(wheel, name))
  const title = write(byId('title'), own('title') ?? t(isInviting ? 'page.title' : 'page.name'))
  document.title = title.textContent
  write(byId('subtitle'), isInviting ? (own('subtitle') ?? t('page.subtitle')) : '')
  document.body.classList.toggle('resting', !isInviting)
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
