CREATE TABLE "database_archives" (
	"database_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"is_on" boolean DEFAULT false NOT NULL,
	"problem" text,
	"spooled_bytes" bigint DEFAULT 0 NOT NULL,
	"quiet_xid" text,
	"quiet_timeline" integer,
	"quiet_segment" bigint,
	"quiet_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_archives" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_backup_policies" (
	"database_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"schedule" text,
	"retention_days" integer NOT NULL,
	"target_id" uuid,
	"pitr" boolean NOT NULL,
	"drill_schedule" text,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_backup_policies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"trigger" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"failure" text,
	"target_id" uuid,
	"place" text,
	"store_key" text,
	"size_bytes" bigint,
	"stored_bytes" bigint,
	"sha256" text,
	"start_lsn" text,
	"stop_lsn" text,
	"timeline" integer,
	"start_segment" bigint,
	"stop_segment" bigint,
	"version" text,
	"started_at" timestamp (3) with time zone,
	"consistent_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"is_locked" boolean DEFAULT false NOT NULL,
	"last_verified_at" timestamp (3) with time zone,
	"rto_ms" bigint,
	"run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_backups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_wal_segments" (
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"name" text NOT NULL,
	"timeline" integer,
	"segment" bigint,
	"target_id" uuid,
	"store_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "database_wal_segments_database_id_name_pk" PRIMARY KEY("database_id","name")
);
--> statement-breakpoint
ALTER TABLE "database_wal_segments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_restores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"kind" text NOT NULL,
	"database_id" uuid NOT NULL,
	"new_database_id" uuid,
	"backup_id" uuid,
	"target_time" timestamp (3) with time zone,
	"status" text DEFAULT 'pending' NOT NULL,
	"failure" text,
	"reached_at" timestamp (3) with time zone,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"restore_ms" bigint,
	"replay_ms" bigint,
	"validate_ms" bigint,
	"total_ms" bigint,
	"run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "database_restores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_swaps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"old_database_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"failure" text,
	"name" text NOT NULL,
	"copy_name" text NOT NULL,
	"cut_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"undo_until" timestamp (3) with time zone,
	"run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_swaps" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "database_archives" ADD CONSTRAINT "database_archives_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_archives" ADD CONSTRAINT "database_archives_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD CONSTRAINT "database_backup_policies_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_backup_policies" ADD CONSTRAINT "database_backup_policies_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_backups" ADD CONSTRAINT "database_backups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_backups" ADD CONSTRAINT "database_backups_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_backups" ADD CONSTRAINT "database_backups_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_wal_segments" ADD CONSTRAINT "database_wal_segments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_wal_segments" ADD CONSTRAINT "database_wal_segments_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_restores" ADD CONSTRAINT "database_restores_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_restores" ADD CONSTRAINT "database_restores_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_restores" ADD CONSTRAINT "database_restores_new_database_id_databases_id_fk" FOREIGN KEY ("new_database_id") REFERENCES "public"."databases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_restores" ADD CONSTRAINT "database_restores_backup_id_database_backups_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."database_backups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_restores" ADD CONSTRAINT "database_restores_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_swaps" ADD CONSTRAINT "database_swaps_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_swaps" ADD CONSTRAINT "database_swaps_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_swaps" ADD CONSTRAINT "database_swaps_old_database_id_databases_id_fk" FOREIGN KEY ("old_database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_swaps" ADD CONSTRAINT "database_swaps_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_archives_organization_id_idx" ON "database_archives" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "database_backup_policies_organization_id_idx" ON "database_backup_policies" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "database_backups_list_idx" ON "database_backups" USING btree ("organization_id","database_id","id");--> statement-breakpoint
CREATE INDEX "database_backups_database_id_idx" ON "database_backups" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "database_backups_created_by_idx" ON "database_backups" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "database_backups_under_way_key" ON "database_backups" USING btree ("database_id") WHERE status in ('pending', 'running', 'finalizing');--> statement-breakpoint
CREATE INDEX "database_wal_segments_order_idx" ON "database_wal_segments" USING btree ("organization_id","database_id","timeline","segment");--> statement-breakpoint
CREATE INDEX "database_restores_list_idx" ON "database_restores" USING btree ("organization_id","database_id","id");--> statement-breakpoint
CREATE INDEX "database_restores_database_id_idx" ON "database_restores" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "database_restores_new_database_id_idx" ON "database_restores" USING btree ("new_database_id");--> statement-breakpoint
CREATE INDEX "database_restores_backup_id_idx" ON "database_restores" USING btree ("backup_id");--> statement-breakpoint
CREATE INDEX "database_restores_created_by_idx" ON "database_restores" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "database_swaps_organization_id_idx" ON "database_swaps" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "database_swaps_database_id_idx" ON "database_swaps" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "database_swaps_old_database_id_idx" ON "database_swaps" USING btree ("old_database_id");--> statement-breakpoint
CREATE INDEX "database_swaps_created_by_idx" ON "database_swaps" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "database_swaps_under_way_key" ON "database_swaps" USING btree ("old_database_id") WHERE status in ('pending', 'running', 'undoing');--> statement-breakpoint
CREATE POLICY "tenant" ON "database_archives" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_archives" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_backup_policies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_backup_policies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_backups" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_backups" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_wal_segments" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_wal_segments" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_restores" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_restores" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_swaps" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_swaps" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);