/** The look of the game. */
import { byId } from '../page/dom.ts'
import { loadFont } from './fonts.ts'
import { showMerchant } from './paint.ts'
import { t } from '../texts/i18n.ts'
import { ownText, write } from '../texts/own-texts.ts'
import type { OwnText, Wheel } from '../wheel/published.ts'
import { setSounds } from '../effects/sound.ts'
import { showSoundButton } from '../effects/sound-button.ts'
import { redrawWheel } from '../wheel/wheel.ts'

export function applyLook(wheel: Wheel): void {
  const { look } = wheel
  showMerchant(look)
  setSounds(look)
  showSoundButton()
  void fitToFont(wheel)
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
