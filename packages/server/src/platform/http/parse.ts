import type { Endpoint, WireShape } from '@bey/contract'
import { camelNames, fromWire } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import type { FieldError } from '@bey/contract/base/errors'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../errors.ts'
import { issueText } from './issue-text.ts'
import { makeStorable } from './storable.ts'

export type Parsed = { params: unknown; query: unknown; body: unknown }

const maxFieldErrors = 50

/** Builds the parser of an endpoint's input. It throws `invalid_request` naming every wrong field as it is on the wire. */
export function inputParser(endpoint: Endpoint): (request: FastifyRequest) => Parsed {
  const { params, query, body } = endpoint
  const knownQuery = endpoint.takesAnyQuery ? query : query?.strict()
  const withoutBody = isBodyOptional(endpoint) ? {} : undefined
  const shapes = {
    query: endpoint.wire && query && wireShape(query),
    body: endpoint.wire && body && wireShape(body),
  }
  return (request) => {
    // What is taken as bytes is its handler's to read.
    const given = endpoint.takesBytes ? undefined : request.body
    // Every endpoint takes the organization, which is compared with the header.
    const { organization_id: _organization, ...asked } = request.query as Record<string, unknown>
    const errors = [request.params, asked, given].flatMap((part) => makeStorable(part) ?? [])
    if (errors.length > 0) throw invalid(errors)
    const parsed = {
      params: params && parsePart(params, request.params, undefined, errors),
      query: knownQuery
        ? parsePart(knownQuery, asked, shapes.query, errors, 'parameter')
        : refuseParameters(endpoint, asked, errors),
      body: body
        ? parsePart(body, given === undefined ? withoutBody : given, shapes.body, errors)
        : refuseBody(given, errors),
    }
    if (errors.length > 0) throw invalid(errors)
    return parsed
  }
}

/** Whether all fields of its body are optional, so that a request may have none. */
export function isBodyOptional({ body }: Endpoint): boolean {
  return body?.safeParse({}).success === true
}

function parsePart(
  schema: z.ZodType,
  raw: unknown,
  shape: WireShape | undefined,
  errors: FieldError[],
  noun: 'field' | 'parameter' = 'field',
): unknown {
  if (shape !== undefined) {
    const found = [...camelNames(raw, shape)].slice(0, maxFieldErrors)
    for (const { path, wire } of found) {
      errors.push({ path: path.join('.'), message: `There is no such ${noun}. Write "${wire}".` })
    }
    if (found.length > 0) return undefined
  }
  const result = schema.safeParse(shape ? fromWire(raw, shape) : raw, { error: issueText })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    for (const error of fieldErrors(issue, raw, shape, noun)) {
      // One thing to mend at a time for each field.
      if (errors.length < maxFieldErrors && !errors.some(({ path }) => path === error.path))
        errors.push(error)
    }
  }
  return undefined
}

function fieldErrors(
  issue: z.core.$ZodIssue,
  raw: unknown,
  shape: WireShape | undefined,
  noun: string,
): FieldError[] {
  const path = wirePath(issue.path, shape)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key.slice(0, 100)].join('.'),
      message: `There is no such ${noun}.`,
    }))
  }
  if (path.length === 0 && raw === undefined) {
    return [{ path: '', message: 'Send a JSON object as the body.' }]
  }
  return [{ path: path.join('.'), message: sentence(issue.message) }]
}

/** The path with the names that the client sent. */
function wirePath(path: readonly PropertyKey[], shape: WireShape | undefined): string[] {
  let below = shape
  return path.map((key) => {
    if (typeof key === 'number') return String(key)
    const name = String(key)
    const row = below?.[name]
    below = row?.shape
    return row?.wire ?? name
  })
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function refuseParameters({ takesAnyQuery }: Endpoint, asked: object, errors: FieldError[]): undefined {
  if (takesAnyQuery) return
  for (const key of Object.keys(asked).slice(0, maxFieldErrors))
    errors.push({ path: key.slice(0, 100), message: 'There is no such parameter.' })
}

function refuseBody(body: unknown, errors: FieldError[]): undefined {
  const isEmpty = body == null || (typeof body === 'object' && Object.keys(body).length === 0)
  if (!isEmpty) errors.push({ path: '', message: 'This endpoint takes no body.' })
}

function invalid(errors: FieldError[]): AppError {
  const [first] = errors
  const detail =
    errors.length === 1 && first
      ? [first.path, first.message].filter((part) => part !== '').join(': ')
      : `${errors.length} fields are wrong: ${errors.map((error) => error.path).join(', ')}.`
  return new AppError('invalid_request', detail, { errors })
}
