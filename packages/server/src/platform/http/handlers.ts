import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Api, EndpointName, HandlerOutput, ParsedInput, Role } from '@bey/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Impersonator } from '../audit/impersonation.ts'
import type { KeyRights } from '../keys/key-rights.ts'
import type { Answer } from './answer.ts'

/** Where a request came from. */
export type PublicCaller = {
  ip: string
  userAgent: string
  requestId: string
  /** By which it found us: the Host header. */
  host: string
  /** The Cookie header. */
  cookie?: string | undefined
  /** Whether a page was asked for, as a browser does that navigates. */
  prefersHtml?: boolean
  /** Whether a header claims that a proxy forwarded the request. The claim may be false. */
  isForwarded?: boolean
  /** The token that was sent along, whatever it is good for. */
  bearer?: string
  /** Of a public endpoint that may have a session, if a live one was sent. */
  session?: Caller
}

/** Somebody with a live session, or an API key where the endpoint takes one. */
export type Caller = PublicCaller & {
  user: { id: number; email: string; name: string }
  /** Of the session; of an API key the id of its secret. */
  sessionId: string
  /** SHA-256 of the token, by which a connection that stays open asks again whether it may. */
  tokenHash: Buffer
  via: 'session' | 'kubeconfig' | 'api_key'
  /** The API key by which the request was made; `user` is then its owner, or who made it for the organization. */
  key?: KeyRights
  /** Of a session: when its user last proved who they are. */
  confirmedAt?: Date
  /** Of a session: how it began, such as `password`. */
  method?: string
  /** Who is really there, where the session is an impersonated one. */
  impersonator?: Impersonator
}

/** Somebody who works in an organization and whose role there holds the permission of the endpoint. */
export type TenantCaller = Caller & { organizationId: number; organizationName: string; role: Role }

type CallerOf<N extends EndpointName> = Api[N]['access'] extends 'public'
  ? PublicCaller
  : Api[N]['access'] extends 'user'
    ? Caller
    : TenantCaller

/** Endpoints that take the request as it is: they authenticate, read and answer by themselves. */
export type RawName = Extract<EndpointName, `kubernetes.proxy${string}`>

/** What is not JSON can be sent as it comes. The stream is destroyed when the client leaves. */
type Streamed<N extends EndpointName> = Api[N]['response'] extends { mediaType: string }
  ? Answer<Readable>
  : never

/** Of endpoints that take the body as it is. */
type Bytes<N extends EndpointName> = Api[N] extends { takesBytes: true }
  ? { bytes: Buffer; headers: IncomingHttpHeaders }
  : unknown

/**
 * Answers an endpoint from its parsed input. What it throws becomes a problem document. `answer(body, …)` sets
 * another status or headers.
 */
type Handler<N extends EndpointName> = (
  request: ParsedInput<N> & { caller: CallerOf<N> } & Bytes<N>,
) => Promise<HandlerOutput<N> | Answer<HandlerOutput<N>> | Streamed<N>>

/** The body of a raw request is unread. `reply.hijack()` first, then write to `reply.raw`. */
export type RawHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A handler for each of some endpoints: what a feature's `routes.ts` gives. */
export type Handlers<N extends EndpointName> = { [K in N]: K extends RawName ? RawHandler : Handler<K> }
