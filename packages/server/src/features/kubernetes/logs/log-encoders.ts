import type { LogLinesRecord, LogRecord } from '@bey/contract'
import type { LogEncoder } from './log-stream.ts'

/** Records as NDJSON; lines that follow one another travel in one record. */
export const ndjson: LogEncoder = {
  record: (record) => `${JSON.stringify(record)}\n`,
  items(items) {
    let text = ''
    let lines: LogLinesRecord['lines'] = []
    const flush = () => {
      if (lines.length > 0) text += `${JSON.stringify({ type: 'lines', lines })}\n`
      lines = []
    }
    for (const item of items) {
      if ('text' in item) lines.push([item.source, item.at, item.text])
      else {
        flush()
        text += `${JSON.stringify(item.event)}\n`
      }
    }
    flush()
    return text
  },
}

/** Lines as `kubectl logs --prefix --timestamps` prints them; of records only problems, as comments. */
export function plainText(): LogEncoder {
  const names = new Map<number, string>()
  return {
    record(record: LogRecord) {
      if (record.type === 'source') names.set(record.source, `[pod/${record.pod}/${record.container}]`)
      return record.type === 'problem' ? `# ${record.message}\n` : ''
    },
    items: (items) =>
      items
        .map((item) => ('text' in item ? `${names.get(item.source) ?? ''} ${item.at} ${item.text}\n` : ''))
        .join(''),
  }
}
