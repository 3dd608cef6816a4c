CREATE TABLE "database_lock_minutes" (
	"database_id" uuid NOT NULL,
	"organization_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"waiting" integer NOT NULL,
	"total" integer NOT NULL,
	"sessions" jsonb NOT NULL,
	CONSTRAINT "database_lock_minutes_database_id_at_pk" PRIMARY KEY("database_id","at")
);
--> statement-breakpoint
ALTER TABLE "database_lock_minutes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "database_lock_minutes" ADD CONSTRAINT "database_lock_minutes_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_lock_minutes_at_idx" ON "database_lock_minutes" USING btree ("at");--> statement-breakpoint
CREATE POLICY "tenant" ON "database_lock_minutes" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_lock_minutes" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);