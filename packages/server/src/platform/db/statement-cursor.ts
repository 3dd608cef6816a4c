import type { Connection } from 'pg'
import Cursor from 'pg-cursor'

type CopyConnection = Connection & { sendCopyFail(message: string): void }

/** Why COPY between the server and its client has no place here; PostgreSQL repeats it in its own error. */
const noCopy = 'COPY sends rows beside the result, which is not read here: use SELECT or INSERT'

/**
 * A cursor for statements that other people write. `pg-cursor` has no answer to COPY: the server's messages about it
 * would end the process with an exception that nobody can catch.
 */
export class StatementCursor<Row> extends Cursor<Row> {
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFail(noCopy)
  }

  handleCopyData(_message: unknown, connection: Connection): void {
    // However much follows, it is not worth reading: the connection ends, and with it the statement.
    connection.stream.destroy(Object.assign(new Error(noCopy), { code: copyRefused }))
  }
}

/** The SQLSTATE of a refused COPY: feature_not_supported. */
export const copyRefused = '0A000'
