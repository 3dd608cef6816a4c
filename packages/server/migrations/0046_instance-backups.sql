CREATE TABLE "instance_backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"backup_id" text,
	"trigger" text NOT NULL,
	"status" text NOT NULL,
	"place" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"copied_bytes" bigint,
	"stored_bytes" bigint,
	"row_count" bigint,
	"root_key_fingerprint" text,
	"error" text,
	"removed_at" timestamp (3) with time zone,
	"drill_outcome" text,
	"drilled_at" timestamp (3) with time zone,
	"drill_ms" integer,
	"drill_rows" bigint,
	"drill_secrets" integer,
	"drill_problems" jsonb,
	CONSTRAINT "instance_backups_backup_id_unique" UNIQUE("backup_id")
);
--> statement-breakpoint
ALTER TABLE "instance_backups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "instance_backups_started_at_idx" ON "instance_backups" USING btree ("started_at");--> statement-breakpoint
CREATE POLICY "system" ON "instance_backups" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);