/** The button that turns the sound on and off. */
import { byId } from './dom.ts'
import { t } from './i18n.ts'
import { isMuted, setMuted } from './sound.ts'

export function setUpSoundButton(): void {
  const mute = byId('mute')
  const show = () => mute.setAttribute('aria-pressed', String(!isMuted()))
  nameSoundButton()
  mute.addEventListener('click', () => {
    setMuted(!isMuted())
    show()
  })
  show()
}

/** In the language of the page, which may change when the game opens. */
export function nameSoundButton(): void {
  byId('mute').setAttribute('aria-label', t('page.sound'))
}
