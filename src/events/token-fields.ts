import { Type } from 'typebox'

/** What events about service tokens say of the token. */
export const tokenFields = {
  tokenId: Type.String({
    description: 'The identifier of the service token: the part before the colon.',
    examples: ['acme-3f9c'],
  }),
  name: Type.String({ description: 'What the token is for.', examples: ['shop server'] }),
  scopes: Type.Array(Type.String(), { description: 'Its scopes.', examples: [['spins', 'links']] }),
}
