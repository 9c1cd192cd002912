/** The button that turns the sound on and off. */
import { byId } from './dom.ts'
import { t } from './i18n.ts'
import { isMuted, setMuted } from './sound.ts'

export function setUpSoundButton(): void {
  const mute = byId('mute')
  const show = () => mute.setAttribute('aria-pressed', String(!isMuted()))
  mute.setAttribute('aria-label', t('page.sound'))
  mute.addEventListener('click', () => {
    setMuted(!isMuted())
    show()
  })
  show()
}
