import { installPackages } from '../../scripts/install-packages.ts'

/** Installs the packages that only the peers need. Returns the reason if that fails. */
export function packagesSkipReason(): string | undefined {
  try {
    installPackages('bench')
    return undefined
  } catch {
    return 'its packages could not be installed (run npm ci in bench/ to see why)'
  }
}
