CREATE TABLE "report_issues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"report_id" uuid NOT NULL,
	"title" text NOT NULL,
	"paper" jsonb NOT NULL,
	"parameters" jsonb NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"trigger" text NOT NULL,
	"recipients" jsonb NOT NULL,
	"issued_by" integer
);
--> statement-breakpoint
ALTER TABLE "report_issues" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "report_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"issue_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"opened_count" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "report_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "report_reads" (
	"issue_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"organization_id" integer NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_reads_issue_id_user_id_pk" PRIMARY KEY("issue_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "report_reads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"schedule" text,
	"next_at" timestamp (3) with time zone,
	"note" text,
	"recipients" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"owner_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "report_issues" ADD CONSTRAINT "report_issues_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_issues" ADD CONSTRAINT "report_issues_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_issues" ADD CONSTRAINT "report_issues_issued_by_users_id_fk" FOREIGN KEY ("issued_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_issue_id_report_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."report_issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_reads" ADD CONSTRAINT "report_reads_issue_id_report_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."report_issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_reads" ADD CONSTRAINT "report_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_reads" ADD CONSTRAINT "report_reads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_issues_report_id_idx" ON "report_issues" USING btree ("organization_id","report_id","as_of","id");--> statement-breakpoint
CREATE INDEX "report_issues_only_report_id_idx" ON "report_issues" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "report_issues_issued_by_idx" ON "report_issues" USING btree ("issued_by");--> statement-breakpoint
CREATE UNIQUE INDEX "report_links_token_hash_key" ON "report_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "report_links_organization_id_idx" ON "report_links" USING btree ("organization_id","issue_id");--> statement-breakpoint
CREATE INDEX "report_links_issue_id_idx" ON "report_links" USING btree ("issue_id");--> statement-breakpoint
CREATE INDEX "report_links_created_by_idx" ON "report_links" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "report_reads_organization_id_idx" ON "report_reads" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "report_reads_user_id_idx" ON "report_reads" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_name_key" ON "reports" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "reports_created_at_idx" ON "reports" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "reports_next_at_idx" ON "reports" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "reports_owner_id_idx" ON "reports" USING btree ("owner_id");--> statement-breakpoint
CREATE POLICY "tenant" ON "report_issues" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "report_issues" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "report_links" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "report_links" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "report_reads" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "report_reads" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "reports" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "reports" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);