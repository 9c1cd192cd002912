import { t } from '../../texts.ts'

const bytesMax = 36_000
const shares = [1, 0.75, 0.5, 0.375]

/** A picture as a data URL, scaled down for a wheel. `sizeMax`: its longer side, in pixels. */
export async function readPicture(file: File, sizeMax = 256): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(t('picture.unreadable'))
  })
  for (const share of shares) {
    const scale = Math.min(1, (sizeMax * share) / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
      const address = canvas.toDataURL(type, sizeMax > 256 ? 0.7 : 0.85)
      if (address.startsWith(`data:${type}`) && (address.length * 3) / 4 <= bytesMax) return address
    }
  }
  throw new Error(t('picture.large'))
}
