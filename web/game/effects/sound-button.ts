/** The button that turns the sound on and off. */
import { byId } from '../page/dom.ts'
import { t } from '../texts/i18n.ts'
import { hasSound, isMuted, setMuted } from './sound.ts'

export function setUpSoundButton(): void {
  byId('mute').addEventListener('click', () => {
    setMuted(!isMuted())
    showSoundButton()
  })
  showSoundButton()
}

/** Its name is in the language of the page, and its state depends on the look. Both may change when the game opens. */
export function showSoundButton(): void {
  const mute = byId('mute')
  mute.setAttribute('aria-label', t('page.sound'))
  mute.setAttribute('aria-pressed', String(!isMuted()))
  mute.hidden = !hasSound()
}
