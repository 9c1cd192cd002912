const bytesMax = 36_000
const sizes = [256, 192, 128, 96]

/** A picture as a data URL, scaled down for a wheel. */
export async function readPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  for (const size of sizes) {
    const scale = Math.min(1, size / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
      const address = canvas.toDataURL(type, 0.85)
      if (address.startsWith(`data:${type}`) && (address.length * 3) / 4 <= bytesMax) return address
    }
  }
  throw new Error('The picture stays too large; take a simpler one.')
}
