import { z } from 'zod'

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/)

/** What a browser's `navigator.credentials.get` gives, as JSON (WebAuthn Level 3, AuthenticationResponseJSON). */
export const passkeyAssertion = z
  .object({
    id: base64url(1400),
    rawId: base64url(1400),
    response: z.object({
      clientDataJSON: base64url(8000),
      authenticatorData: base64url(8000),
      signature: base64url(4000),
      userHandle: base64url(200).nullish(),
    }),
    authenticatorAttachment: z.string().max(50).nullish(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    type: z.literal('public-key'),
  })
  .meta({ id: 'PasskeyAssertion' })
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

/** What `navigator.credentials.create` gives, as JSON (RegistrationResponseJSON). */
export const passkeyAttestation = z
  .object({
    id: base64url(1400),
    rawId: base64url(1400),
    response: z.object({
      clientDataJSON: base64url(8000),
      attestationObject: base64url(60_000),
      authenticatorData: base64url(8000).optional(),
      transports: z.array(z.string().max(30)).max(10).optional(),
      publicKeyAlgorithm: z.number().optional(),
      publicKey: base64url(8000).optional(),
    }),
    authenticatorAttachment: z.string().max(50).nullish(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    type: z.literal('public-key'),
  })
  .meta({ id: 'PasskeyAttestation' })
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>

/** Options for the browser's WebAuthn functions, as JSON. */
export const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) })

const appCode = z
  .string()
  .trim()
  .transform((text) => text.replaceAll(' ', ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits that your app shows.'))

/** The code of an authenticator app. */
export const totpCode = appCode

/** Proof by one second factor. */
const proofParts = {
  code: totpCode.optional(),
  recoveryCode: z.string().trim().min(1).max(40).optional(),
  passkey: passkeyAssertion.optional(),
}

type ProofParts = { code?: unknown; recoveryCode?: unknown; passkey?: unknown; password?: unknown }

const hasOneProof = ({ code, recoveryCode, passkey, password }: ProofParts) =>
  [code, recoveryCode, passkey, password].filter((part) => part !== undefined).length === 1

export const secondFactorInput = z
  .strictObject({ ticket: z.string().min(1).max(200), ...proofParts })
  .refine(hasOneProof, 'Send exactly one of code, recoveryCode and passkey.')

export const stepUpInput = z
  .strictObject({ password: z.string().min(1).max(256).optional(), ...proofParts })
  .refine(hasOneProof, 'Send exactly one of password, code, recoveryCode and passkey.')
