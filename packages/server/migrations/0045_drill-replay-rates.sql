ALTER TABLE "database_restores" ADD COLUMN "wal_bytes" bigint;--> statement-breakpoint
ALTER TABLE "database_restores" ADD COLUMN "wal_ms" bigint;