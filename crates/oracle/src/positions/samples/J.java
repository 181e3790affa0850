class J {
    static int inner(String text) { return text.length(); }
    static int broken() { return "text"; }
    public static void main(String[] args) { System.out.println(inner(null)); }
}
