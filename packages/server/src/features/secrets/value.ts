import { secretFields, secretLimits, type SecretType } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'

/** A value as a caller sends it: one text, or fields by name. */
export type GivenValue = string | Record<string, string>
export type Encoding = 'utf8' | 'base64'

/** A value as it is sealed. `base64` is for bytes that are no text. */
export type SecretValue = { encoding: Encoding; value: GivenValue }

/** Checks a value against its type. Throws AppError naming the field; never quotes the value. */
export function parseValue(type: SecretType, given: GivenValue, encoding: Encoding): SecretValue {
  const parsed = typeof given === 'string' ? parseText(type, given, encoding) : parseFields(type, given)
  const bytes = byteLength(parsed)
  if (bytes > secretLimits.valueBytes) {
    throw invalid(
      'value',
      `The value has ${bytes} bytes and may have ${secretLimits.valueBytes} (64 KB). Store large files elsewhere and keep their key here.`,
    )
  }
  return parsed
}

function parseText(type: SecretType, text: string, encoding: Encoding): SecretValue {
  const fields = secretFields[type]
  if (fields.length > 0) {
    throw invalid('value', `Send the fields ${fields.map(({ name }) => name).join(', ')} of this type.`)
  }
  if (text === '') throw invalid('value', 'The value is empty.')
  if (encoding === 'base64' && Buffer.from(text, 'base64').toString('base64') !== text) {
    throw invalid('value', 'The value is not base64 (RFC 4648, with padding).')
  }
  return { encoding, value: text }
}

function parseFields(type: SecretType, given: Record<string, string>): SecretValue {
  const fields = secretFields[type]
  if (fields.length === 0) throw invalid('value', 'A secret of this type has one text as its value.')
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw invalid(`value.${unknown}`, 'A secret of this type has no such field.')
  const value: Record<string, string> = {}
  for (const { name, label, isOptional } of fields) {
    const text = given[name] ?? ''
    if (text !== '') value[name] = text
    else if (!isOptional) throw invalid(`value.${name}`, `${label} is missing.`)
  }
  return { encoding: 'utf8', value }
}

function byteLength({ encoding, value }: SecretValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value, encoding)
  return Object.values(value).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** The same bytes for the same value: fields stand in the order of their type. */
export function encodeValue(value: SecretValue): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8')
}

export function decodeValue(plain: Buffer): SecretValue {
  // Written by encodeValue, and authenticated by the seal.
  return JSON.parse(plain.toString('utf8')) as SecretValue
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}
