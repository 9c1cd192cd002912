// Part of `npm ci`: makes the links that PostgreSQL's npm package lacks. On a platform without that package, the server
// will ask for DATABASE_URL.
import { EmbeddedError, linkLibraries } from '../src/db/embedded/home.ts'

try {
  linkLibraries()
} catch (error) {
  if (!(error instanceof EmbeddedError)) throw error
}
