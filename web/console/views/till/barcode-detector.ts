/** The browser's own reader of barcodes and QR codes, which not every browser has. TypeScript has no types for it. */
type BarcodeDetector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }
type WithDetector = { BarcodeDetector: new () => BarcodeDetector }

/** Browsers give the camera only to pages with https, and to `localhost`. */
export function hasBarcodeDetector(): boolean {
  return 'BarcodeDetector' in globalThis && 'mediaDevices' in navigator
}

export function makeBarcodeDetector(): BarcodeDetector {
  return new (globalThis as unknown as WithDetector).BarcodeDetector()
}
