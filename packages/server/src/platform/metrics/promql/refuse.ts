import { AppError } from '../../errors.ts'
import type { Span } from './ast.ts'

/** Throws AppError `invalid_request` with the sentence and the position, which counts characters from 1. */
export function refuse(text: string, { from }: Span, sentence: string): never {
  const position = Math.min(from, text.length) + 1
  const message = `${sentence.replace(/\.$/, '')} (at character ${position}).`
  throw new AppError('invalid_request', message, { errors: [{ path: 'expr', message }] })
}
