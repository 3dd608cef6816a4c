CREATE TABLE "database_saved_queries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"name" text NOT NULL,
	"statement" text NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_saved_queries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_sql_history" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"statement" text NOT NULL,
	"mode" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" double precision,
	"rows" integer,
	"error" text
);
--> statement-breakpoint
ALTER TABLE "database_sql_history" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "allow_list" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "database_saved_queries" ADD CONSTRAINT "database_saved_queries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_saved_queries" ADD CONSTRAINT "database_saved_queries_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_saved_queries" ADD CONSTRAINT "database_saved_queries_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_sql_history" ADD CONSTRAINT "database_sql_history_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_sql_history" ADD CONSTRAINT "database_sql_history_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_sql_history" ADD CONSTRAINT "database_sql_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "database_saved_queries_name_key" ON "database_saved_queries" USING btree ("database_id","created_by",lower("name"));--> statement-breakpoint
CREATE INDEX "database_saved_queries_organization_id_idx" ON "database_saved_queries" USING btree ("organization_id","database_id");--> statement-breakpoint
CREATE INDEX "database_saved_queries_created_by_idx" ON "database_saved_queries" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "database_sql_history_of_user_idx" ON "database_sql_history" USING btree ("organization_id","database_id","user_id","id");--> statement-breakpoint
CREATE INDEX "database_sql_history_database_id_idx" ON "database_sql_history" USING btree ("database_id");--> statement-breakpoint
CREATE INDEX "database_sql_history_user_id_idx" ON "database_sql_history" USING btree ("user_id");--> statement-breakpoint
CREATE POLICY "tenant" ON "database_saved_queries" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_saved_queries" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_sql_history" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_sql_history" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);