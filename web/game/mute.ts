/** The button that switches the sound off and on. */
import { byId } from './dom.ts'
import { t } from './i18n.ts'
import { isMuted, setMuted } from './sound.ts'

export function setUpMute(): void {
  const mute = byId('mute')
  const show = () => mute.setAttribute('aria-pressed', String(!isMuted()))
  mute.setAttribute('aria-label', t('page.sound'))
  mute.addEventListener('click', () => {
    setMuted(!isMuted())
    show()
  })
  show()
}
