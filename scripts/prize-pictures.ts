import type { Browser } from 'playwright-core'

/** Drawings for the segments of the screenshots. The fonts of a server often have no emoji. */
const drawings = {
  gift: '<path fill="#e11d48" d="M10 44h76v40H10z"/><path fill="#fb7185" d="M6 28h84v18H6z"/><path fill="#fde68a" d="M41 28h14v56H41z"/><path fill="none" stroke="#fde68a" stroke-width="8" d="M48 28C24 28 26 6 40 12c8 4 8 16 8 16s0-12 8-16c14-6 16 16-8 16z"/>',
  cup: '<path fill="#fff" d="M14 36h54v28a20 20 0 0 1-20 20H34a20 20 0 0 1-20-20z"/><path fill="none" stroke="#fff" stroke-width="8" d="M68 44h8a10 10 0 0 1 0 22h-8"/><path fill="#7c4a2d" d="M20 36h42v8H20z"/><path fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" d="M30 26c-4-6 4-8 0-16M46 26c-4-6 4-8 0-16"/>',
  cake: '<path fill="#fbcfe8" d="M10 48h76v36H10z"/><path fill="#be185d" d="M10 60h76v8H10z"/><path fill="#fff" d="M10 46h76v8c-8 10-14 0-19 4s-12 8-19 0-14 8-19 0-14 4-19-4z"/><path fill="#fde047" d="M44 24h8v22h-8z"/><path fill="#f97316" d="M48 8c8 8 4 14 0 14s-8-6 0-14z"/>',
  star: '<path fill="#fde047" stroke="#b45309" stroke-width="4" stroke-linejoin="round" d="m48 8 12 26 28 3-21 19 6 28-25-14-25 14 6-28L8 37l28-3z"/>',
}

/** Each drawing as a PNG in a data URL, as a merchant would upload it. */
export async function drawPrizePictures(browser: Browser): Promise<Record<keyof typeof drawings, string>> {
  const page = await browser.newPage()
  const pictures = await page.evaluate(async (all) => {
    const entries = Object.entries(all).map(async ([name, drawing]) => {
      const source = `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192" viewBox="0 0 96 96">${drawing}</svg>`
      const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(source)}` })
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: 192, height: 192 })
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return [name, canvas.toDataURL('image/png')]
    })
    return Object.fromEntries(await Promise.all(entries))
  }, drawings)
  await page.close()
  return pictures
}
