CREATE TABLE "database_advice" (
	"database_id" uuid NOT NULL,
	"organization_id" integer NOT NULL,
	"key" text NOT NULL,
	"rule" text NOT NULL,
	"content" jsonb NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"dismissed_at" timestamp (3) with time zone,
	"dismissed_by" integer,
	"dismissed_reason" text,
	"executed_at" timestamp (3) with time zone,
	CONSTRAINT "database_advice_database_id_key_pk" PRIMARY KEY("database_id","key")
);
--> statement-breakpoint
ALTER TABLE "database_advice" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_insights" (
	"database_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"statements_at" timestamp (3) with time zone,
	"statements_since" timestamp (3) with time zone,
	"statements_problem" jsonb,
	"advice_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "database_insights" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_statement_points" (
	"database_id" uuid NOT NULL,
	"organization_id" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"query_id" bigint NOT NULL,
	"calls" double precision NOT NULL,
	"total_ms" double precision NOT NULL,
	"rows" double precision NOT NULL,
	"io_ms" double precision NOT NULL,
	"cpu_seconds" double precision NOT NULL,
	"io_seconds" double precision NOT NULL,
	"lock_seconds" double precision NOT NULL,
	"other_seconds" double precision NOT NULL,
	CONSTRAINT "database_statement_points_database_id_step_at_query_id_pk" PRIMARY KEY("database_id","step","at","query_id"),
	CONSTRAINT "database_statement_points_step_is_known" CHECK ("database_statement_points"."step" in ('minute', 'hour'))
);
--> statement-breakpoint
ALTER TABLE "database_statement_points" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "database_statements" (
	"database_id" uuid NOT NULL,
	"organization_id" integer NOT NULL,
	"query_id" bigint NOT NULL,
	"text" text NOT NULL,
	"is_cut" boolean DEFAULT false NOT NULL,
	"users" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"issuers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"counters" jsonb NOT NULL,
	"score" double precision DEFAULT 0 NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "database_statements_database_id_query_id_pk" PRIMARY KEY("database_id","query_id")
);
--> statement-breakpoint
ALTER TABLE "database_statements" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "database_advice" ADD CONSTRAINT "database_advice_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_advice" ADD CONSTRAINT "database_advice_dismissed_by_users_id_fk" FOREIGN KEY ("dismissed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_insights" ADD CONSTRAINT "database_insights_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_statement_points" ADD CONSTRAINT "database_statement_points_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_statements" ADD CONSTRAINT "database_statements_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_advice_dismissed_by_idx" ON "database_advice" USING btree ("dismissed_by");--> statement-breakpoint
CREATE INDEX "database_statement_points_at_idx" ON "database_statement_points" USING btree ("step","at");--> statement-breakpoint
CREATE POLICY "tenant" ON "database_advice" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_advice" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_insights" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_insights" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_statement_points" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_statement_points" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "database_statements" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_statements" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);