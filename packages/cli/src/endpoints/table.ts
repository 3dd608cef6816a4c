import { commandRows } from './command-rows.ts'
import type { CommandTable } from '../command.ts'

// In a checkout the commands are made from the contract on each start. The build puts the finished table in place of
// this file (build/commands-source.ts), so that the program carries no zod and parses only the noun that it runs.
const rows = commandRows()

export const commandTable: CommandTable = {
  nouns: [...new Set(rows.map(({ words }) => words.split(' ')[0] ?? ''))],
  commandsOf: (noun) => rows.filter(({ words }) => words.split(' ')[0] === noun),
}
