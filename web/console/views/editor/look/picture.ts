import { UnusableFile } from '../../../parts/notify.ts'
import { t } from '../../../texts.ts'

const bytesMax = 36_000
const shares = [1, 0.75, 0.5, 0.375]

/**
 * A picture as a data URL, scaled down for a wheel. `sizeMax`: its longer side, in pixels; 384 are sharp in a segment
 * on a 4K screen. Of an animated picture, the first frame is taken.
 */
export async function readPicture(file: File, sizeMax = 384): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new UnusableFile(t('picture.broken'))
  })
  for (const share of shares) {
    const canvas = scaled(bitmap, Math.min(1, (sizeMax * share) / Math.max(bitmap.width, bitmap.height)))
    for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
      const address = canvas.toDataURL(type, sizeMax > 512 ? 0.7 : 0.85)
      if (address.startsWith(`data:${type}`) && (address.length * 3) / 4 <= bytesMax) return address
    }
  }
  throw new UnusableFile(t('picture.size'))
}

function scaled(bitmap: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const pen = canvas.getContext('2d')
  if (pen !== null) pen.imageSmoothingQuality = 'high'
  pen?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}
