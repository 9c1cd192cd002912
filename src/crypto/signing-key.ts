/** A secret that signs tokens or derives seeds, with the id under which it is stored. */
export type SigningKey = { keyId: string; secret: Buffer }
