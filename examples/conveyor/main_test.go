package main

func Example() {
	main()
	// Output:
	// 4.46 s: rock 1 has left the belt, 12 contacts
	// 4.76 s: rock 2 has left the belt, 12 contacts
	// 5.06 s: rock 3 has left the belt, 12 contacts
	// 5.36 s: rock 4 has left the belt, 12 contacts
	// 5.66 s: rock 5 has left the belt, 12 contacts
	// 5.96 s: rock 6 has left the belt, 12 contacts
}
