import { Button, Group } from '@mantine/core'
import { drawn, squares } from '../../game/wallet/qr.ts'
import { t } from '../texts.ts'
import { saveFile } from './download.ts'

/** Always dark on white with a margin: many phones can't read anything else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawn(text)
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={label}
      style={{ alignSelf: 'center', borderRadius: 8, flex: 'none' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

/** Saves the code as a picture for print or for the web. */
export function QrFiles({ text, name }: { text: string; name: string }) {
  const save = async (type: 'svg' | 'png') =>
    saveFile(type === 'svg' ? qrSvg(text) : await qrPng(text), `${name}.${type}`)
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" onClick={() => void save('svg')}>
        {t('visitors.qrSvg')}
      </Button>
      <Button variant="default" size="xs" onClick={() => void save('png')}>
        {t('visitors.qrPng')}
      </Button>
    </Group>
  )
}

/** The same as a file, which prints sharply at any size. */
function qrSvg(text: string): Blob {
  const { size, path } = drawn(text)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024">`,
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    `<path d="${path}" fill="#000" shape-rendering="crispEdges"/></svg>`,
  ]
  return new Blob([parts.join('')], { type: 'image/svg+xml' })
}

const pngWidthMin = 1_024

/** For programs that take no SVG. Each square of the code is a whole number of pixels. */
async function qrPng(text: string): Promise<Blob> {
  const { data, size } = squares(text)
  const scale = Math.ceil(pngWidthMin / size)
  const canvas = document.createElement('canvas')
  canvas.width = size * scale
  canvas.height = size * scale
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) if (dark) pen.fillRect(x * scale, y * scale, scale, scale)
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob as Blob), 'image/png'))
}
