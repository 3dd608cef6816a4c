import { z } from 'zod'
import {
  boardBounds,
  boardCompares,
  boardRanges,
  boardVariables,
  boardVisibilities,
  panelKinds,
  panelUnits,
} from './rules.ts'
import { differenceStates } from './difference.ts'
import { endpoint } from '../base/endpoint.ts'
import { readyBoardIds } from './ready-boards.ts'
import { actor, givenTime, nameText, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const threshold = z.number().min(-1e15).max(1e15).nullable()

const panel = z
  .strictObject({
    id: z.string().regex(/^[\w-]{1,40}$/, 'Send an id of letters, digits, - and _.'),
    kind: z.enum(panelKinds),
    title: z.string().trim().max(boardBounds.maxTitleLength),
    x: z
      .number()
      .int()
      .min(0)
      .max(boardBounds.columns - 1),
    y: z.number().int().min(0).max(boardBounds.maxRow),
    width: z.number().int().min(1).max(boardBounds.columns),
    height: z.number().int().min(1).max(boardBounds.maxHeight),
    queries: z
      .array(
        z.strictObject({
          expr: z.string().trim().max(boardBounds.maxExpressionLength),
          legend: z.string().trim().max(boardBounds.maxLegendLength),
        }),
      )
      .max(boardBounds.maxQueries),
    /** The data source of its expressions; Bey's own store where there is none. */
    source: uuid.optional(),
    unit: z.enum(panelUnits),
    thresholds: z.strictObject({ warn: threshold, danger: threshold }),
    text: z.string().max(boardBounds.maxTextLength),
  })
  .refine(({ x, width }) => x + width <= boardBounds.columns, 'A panel ends within 12 columns.')

export const boardDefinition = z
  .strictObject({
    panels: z
      .array(panel)
      .max(boardBounds.maxPanels, 'A board has at most 100 panels. Make a second board of the rest.')
      .refine(
        (panels) => new Set(panels.map(({ id }) => id)).size === panels.length,
        'Two panels have the same id.',
      ),
    variables: z.array(z.enum(boardVariables)).max(boardVariables.length),
    range: z.enum(boardRanges),
    compare: z.enum(boardCompares),
  })
  .meta({ id: 'BoardDefinition' })

const listed = z.object({
  id: uuid,
  name: z.string(),
  description: z.string(),
  visibility: z.enum(boardVisibilities),
  /** Raised by every change. */
  version: z.number().int(),
  createdBy: actor,
  createdAt: timestamp,
  updatedAt: timestamp,
})

const board = listed.extend({ definition: boardDefinition, updatedBy: actor }).meta({ id: 'Board' })

const version = z.object({
  version: z.number().int(),
  name: z.string(),
  panelCount: z.number().int(),
  at: timestamp,
  by: actor,
})

const panelReading = z.object({
  id: z.string(),
  /** `failed`: an expression cannot be evaluated; `text` says why. */
  state: z.enum([...differenceStates, 'failed']),
  text: z.string(),
  /** Of a panel with one series. */
  now: z.number().nullable(),
  usual: z.number().nullable(),
})

const name = nameText('Enter a name for the board.')
const description = z.string().trim().max(2_000)
const visibility = z.enum(boardVisibilities)
const params = z.object({ id: uuid })
const path = '/api/boards'
const chosen = z
  .string()
  .max(6_000)
  .refine((text) => text.split(',').length <= boardBounds.maxValues, 'Choose at most 50 names, or all.')
  .optional()

export const boardEndpoints = {
  'boards.list': endpoint({
    method: 'GET',
    path,
    summary: 'Boards of the organization, and private ones of the caller',
    access: 'boards.read',
    query: pageQuery.extend({
      /** Part of the name. */
      search: searchText,
      sort: z.enum(['name', 'createdAt']).default('createdAt'),
    }),
    response: paged('boards', listed),
  }),
  'boards.get': endpoint({
    method: 'GET',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'One board',
    access: 'boards.read',
    params,
    response: board,
    errors: ['not_found'],
  }),
  'boards.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create a board',
    access: 'boards.create',
    body: z.strictObject({
      name,
      description: description.default(''),
      visibility: visibility.default('organization'),
      definition: boardDefinition.default({
        panels: [],
        variables: ['cluster'],
        range: '24h',
        compare: 'week',
      }),
    }),
    response: board,
    status: 201,
    isIdempotent: true,
    errors: ['name_taken'],
  }),
  'boards.import': endpoint({
    method: 'POST',
    path: `${path}/import`,
    summary: 'Create a board from a file that Bey or Grafana exported',
    access: 'boards.create',
    body: z.strictObject({
      /** The JSON of the file, as text. */
      source: z.string().min(2, 'Send the JSON of a board.').max(boardBounds.maxImportLength),
      visibility: visibility.default('organization'),
    }),
    response: z.object({
      board,
      /** A sentence for each part that was not taken over. */
      notes: z.array(z.string()).max(300),
    }),
    status: 201,
    isIdempotent: true,
    errors: ['name_taken'],
  }),
  'boards.export': endpoint({
    method: 'GET',
    path: `${path}/{id}/export`,
    summary: 'A board as JSON, in the form of Bey or of Grafana',
    access: 'boards.read',
    params,
    query: z.object({ format: z.enum(['bey', 'grafana']).default('bey') }),
    response: z.object({
      fileName: z.string(),
      /** The JSON of the file, as text. */
      source: z.string(),
      /** A sentence for each part that the form cannot hold. */
      notes: z.array(z.string()).max(300),
    }),
    errors: ['not_found'],
  }),
  'boards.reading': endpoint({
    method: 'GET',
    path: `${path}/{id}/reading`,
    summary: 'Which panels of a board differ from the same hour of the four weeks before',
    access: 'boards.read',
    params: z.object({ id: z.union([z.enum(readyBoardIds), uuid]) }),
    query: z.object({
      /** End of the hour that is compared; now by default. */
      end: givenTime.optional(),
      /** Names with commas between them; all by default. */
      cluster: chosen,
      namespace: chosen,
      database: chosen,
    }),
    response: z.object({
      asOf: timestamp,
      /** What differs, as a sentence. */
      text: z.string(),
      panels: z.array(panelReading).max(boardBounds.maxReadPanels),
      /** Panels below those that are compared. */
      unreadCount: z.number().int(),
    }),
    errors: ['not_found'],
  }),
  'boards.versions': endpoint({
    method: 'GET',
    path: `${path}/{id}/versions`,
    summary: 'Kept versions of a board, the newest first',
    access: 'boards.read',
    params,
    response: z.object({ versions: z.array(version).max(boardBounds.keptVersions) }),
    errors: ['not_found'],
  }),
  'boards.restore': endpoint({
    method: 'POST',
    path: `${path}/{id}/restore`,
    summary: 'Make a kept version of a board the current one',
    access: 'boards.update',
    params,
    body: z.strictObject({ version: z.number().int().min(1).max(1_000_000_000) }),
    response: board,
    errors: ['not_found', 'name_taken'],
  }),
  'boards.update': endpoint({
    method: 'PATCH',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'Change a board',
    access: 'boards.update',
    params,
    body: z
      .strictObject({
        name: name.optional(),
        description: description.optional(),
        /** Changed by whoever created the board. */
        visibility: visibility.optional(),
        definition: boardDefinition.optional(),
        /** The version that was read; refused with `conflict` when another one is stored meanwhile. */
        version: z.number().int().min(1).max(1_000_000_000).optional(),
      })
      .refine(
        (body) => Object.keys(body).some((key) => key !== 'version'),
        'Send name, description, visibility, or definition.',
      ),
    response: board,
    replyOf: 'boards.get',
    errors: ['not_found', 'name_taken', 'conflict', 'forbidden'],
  }),
  'boards.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a board with its versions',
    access: 'boards.delete',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
} as const
