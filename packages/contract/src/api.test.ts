import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { routesSource } from '../tools/routes-source.ts'
import { api } from './api.ts'
import type { Endpoint } from './base/endpoint.ts'
import { errorTable } from './base/errors.ts'
import { matchesPattern } from './base/live.ts'
import { deniedReason } from './base/permission-text.ts'
import { permissionTable, roleHas, roles } from './base/permissions.ts'

const endpoints = Object.entries<Endpoint>(api)
const parametersOf = (path: string) => path.match(/\{\w+\}/g) ?? []

test('the generated routes are those of the endpoint table', () => {
  expect(readFileSync(new URL('./routes.generated.ts', import.meta.url), 'utf8')).toBe(routesSource(api))
})

test('a reply that takes the place of a read is that of the read, whose parameters are given or are its id', () => {
  for (const [name, { replyOf, response, path }] of endpoints) {
    if (replyOf === undefined) continue
    const read = Object.hasOwn(api, replyOf) ? (api as Record<string, Endpoint>)[replyOf] : undefined
    expect([read?.method, read?.response], name).toEqual(['GET', response])
    const known: readonly string[] = parametersOf(path)
    const unknown = parametersOf(read?.path ?? '').filter((parameter) => !known.includes(parameter))
    const isOfNew = response instanceof z.ZodObject && 'id' in response.shape && unknown.join() === '{id}'
    if (!isOfNew) expect(unknown, name).toEqual([])
  }
})

test('no two endpoints share method and path', () => {
  const places = endpoints.map(
    ([, endpoint]) => `${endpoint.method} ${endpoint.path.replace(/\{\w+\}/g, '{}')}`,
  )
  expect(new Set(places).size).toBe(places.length)
})

test('every path parameter is declared', () => {
  for (const [name, endpoint] of endpoints) {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(endpoint.params?.shape ?? {}), name).toEqual(inPath)
  }
})

test('every body refuses fields that it does not declare', () => {
  for (const [name, { body }] of endpoints) {
    if (body) expect(body.safeParse({ unheardOf: 1 }).error?.issues, name).toContainEqual(unheardOf)
  }
})

const unheardOf = expect.objectContaining({ code: 'unrecognized_keys', keys: ['unheardOf'] })

test('every array in a reply is bounded by paging or by a maximum', () => {
  for (const [name, endpoint] of endpoints) {
    if (!(endpoint.response instanceof z.ZodObject)) continue
    const isPaged = 'limit' in endpoint.response.shape
    for (const [field, schema] of Object.entries(endpoint.response.shape)) {
      if (!(schema instanceof z.ZodArray)) continue
      expect(isPaged || schema._zod.def.checks?.length, `${name}.${field}`).toBeTruthy()
    }
  }
})

test('every code in the error table has a status and says when it is answered', () => {
  for (const [code, row] of Object.entries(errorTable)) {
    expect(row.status, code).toBeGreaterThanOrEqual(400)
    expect(row.when, code).toMatch(/[.`]$/)
  }
})

test('only the code unauthenticated is a 401, for it ends the session', () => {
  expect(
    Object.entries(errorTable)
      .filter(([, row]) => row.status === 401)
      .map(([code]) => code),
  ).toEqual(['unauthenticated'])
})

test('a mightier role holds every permission of a lesser one', () => {
  for (const permission of Object.keys(permissionTable) as (keyof typeof permissionTable)[]) {
    const held = roles.map((role) => roleHas(role, permission))
    expect(held.indexOf(false) === -1 || !held.slice(held.indexOf(false)).includes(true), permission).toBe(
      true,
    )
    expect(roleHas('OWNER', permission)).toBe(true)
  }
})

test('a refused action says which role it needs and who can help', () => {
  expect(deniedReason('ADMIN', 'clusters.delete')).toBeUndefined()
  expect(deniedReason('VIEWER', 'clusters.delete')).toBe(
    'Needs the role ADMIN or higher; yours is VIEWER. To delete clusters, ask an owner or admin of the organization.',
  )
})

test('subscribers match by exact name, by * and by wildcard', () => {
  expect(matchesPattern('CLUSTERS_UPDATE', 'CLUSTERS_UPDATE')).toBe(true)
  expect(matchesPattern('*', 'ANYTHING')).toBe(true)
  expect(matchesPattern('CLUSTER_*', 'CLUSTER_METRICS_UPDATE')).toBe(true)
  expect(matchesPattern('CLUSTER_*', 'CLUSTERS_UPDATE')).toBe(false)
  expect(matchesPattern('*_UPDATE', 'WORKFLOW_RUN_UPDATE')).toBe(true)
  expect(matchesPattern('A.B', 'AxB')).toBe(false)
})

/** What is answered with 202 and has no end to wait for within a request. */
const endless: Readonly<Record<string, string>> = {
  'auth.forgotPassword': 'It says nothing about whether a mail is sent.',
  'organization.delete': 'It takes seven days.',
  'webhooks.replay': 'It queues any number of deliveries.',
  'workflows.hook': 'Its caller is another service, which may not hold a connection.',
}

test('whatever starts work that goes on can be waited for, and says how its state is read', () => {
  const rows = Object.entries<Endpoint>(api)
  const started = rows.filter(([, { status }]) => status === 202).map(([name]) => name)
  const awaited = rows.filter(([, { operation }]) => operation).map(([name]) => name)
  expect(started.filter((name) => !awaited.includes(name)).toSorted()).toEqual(
    Object.keys(endless).toSorted(),
  )
  for (const [name, { operation }] of rows) {
    const read = operation && Object.entries<Endpoint>(api).find(([each]) => each === operation.read)?.[1]
    if (operation) expect([name, read?.method]).toEqual([name, 'GET'])
  }
})
